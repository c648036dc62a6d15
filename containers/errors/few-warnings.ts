/** Readers do not look at more of one kind, and other warnings need space too. */
const mostOfOneKind = 10

/** The first ten warnings of one kind, and one that says how many more there are. */
export function fewWarnings(
  warnings: readonly string[],
  sayMore: (count: number) => string,
): string[] {
  const more = warnings.length - mostOfOneKind
  if (more <= 0) return [...warnings]
  return [...warnings.slice(0, mostOfOneKind), sayMore(more)]
}

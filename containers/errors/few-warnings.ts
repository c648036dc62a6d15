/** Readers do not look at more warnings of one kind, and others need space too. */
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

type Warned = { readonly name: string; readonly warnings: readonly string[] }

/** The warnings of named results. One that several results share is given once, with all their names. */
export function warningsOfResults(results: readonly Warned[]): string[] {
  const named = new Map<string, string[]>()
  for (const { name, warnings } of results) {
    for (const warning of new Set(warnings))
      named.set(warning, [...(named.get(warning) ?? []), name])
  }
  return [...named].map(([warning, names]) =>
    `outputs (${names.join(', ')}): ${warning}`.slice(0, 500),
  )
}

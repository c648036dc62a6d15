/** From one place up to but not including another. */
export type Span = { readonly from: number; readonly to: number }

/** The length of all spans together. */
export function totalLength(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Sorts spans and merges those that are this close to each other. */
export function merged(spans: readonly Span[], nearness: number): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && span.from <= last.to + nearness) {
      result.splice(-1, 1, { from: last.from, to: Math.max(last.to, span.to) })
    } else result.push(span)
  }
  return result
}

/** The gaps between spans that are in order and apart, within the whole. */
export function between(spans: readonly Span[], whole: Span): Span[] {
  const starts = [whole.from, ...spans.map(({ to }) => to)]
  const ends = [...spans.map(({ from }) => from), whole.to]
  return starts
    .map((from, i) => ({ from, to: ends[i] ?? whole.to }))
    .filter(({ from, to }) => from < to)
}

/** The parts of some spans that lie within another. */
export function clampSpans(spans: readonly Span[], { from, to }: Span): Span[] {
  return spans
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .filter((span) => span.from < span.to)
}

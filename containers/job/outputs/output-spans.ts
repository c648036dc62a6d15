/** Shares of the rendering between which something is made. */
export type Span = readonly [from: number, to: number]

/** Of the runs that encode films together, which come first, and of what is left of each output after them. */
type Spans = { readonly groups: readonly Span[]; readonly outputs: readonly Span[] }

/** How much of the time of a film its first encode takes, beside others. */
const togetherShare = 0.95

/** The bar goes as far with each output as that takes of the time. `groups`: the places of outputs that are encoded together. */
export function spansOf(times: readonly number[], groups: readonly (readonly number[])[]): Spans {
  const total = Math.max(
    1,
    times.reduce((sum, one) => sum + one, 0),
  )
  const grouped = new Set(groups.flat())
  let at = 0
  const next = (time: number): Span => {
    const from = at
    at = Math.min(1, at + time / total)
    return [from, at]
  }
  const timeOf = (place: number) => times[place] ?? 0
  return {
    groups: groups.map((places) =>
      next(places.reduce((sum, place) => sum + timeOf(place), 0) * togetherShare),
    ),
    outputs: times.map((time, place) =>
      next(grouped.has(place) ? time * (1 - togetherShare) : time),
    ),
  }
}

/** Seconds of the raw timeline. */
export type TimeSpan = { readonly from: number; readonly to: number }

/** In order and without overlap: spans of one timeline that stand one behind the other in another one. */
export class KeptTime {
  readonly #spans: readonly (TimeSpan & { readonly before: number })[]

  constructor(spans: readonly TimeSpan[]) {
    let before = 0
    this.#spans = spans.map((span) => {
      const placed = { ...span, before }
      before += span.to - span.from
      return placed
    })
  }

  /** How much of what comes before a moment is kept: where that moment is when the rest is gone. */
  placeOf(seconds: number): number {
    const span = this.#spans[this.#lastFrom(seconds)]
    return span ? span.before + Math.min(seconds, span.to) - span.from : 0
  }

  /** The moment that stands at a place: the reverse of `placeOf`. */
  momentAt(place: number): number {
    const spans = this.#spans
    const index = lastAt(spans.length, (i) => (spans[i]?.before ?? 0) <= place)
    const span = spans[Math.max(0, index)]
    return span ? Math.min(span.to, span.from + Math.max(0, place - span.before)) : 0
  }

  keptWithin({ from, to }: TimeSpan): number {
    return Math.max(0, this.placeOf(to) - this.placeOf(from))
  }

  /** Whether nothing is missing between two moments. */
  isWhole(from: number, to: number): boolean {
    return this.keptWithin({ from, to }) > to - from - 1e-6
  }

  /** How far a moment is from what is kept. */
  distanceTo(seconds: number): number {
    const index = this.#lastFrom(seconds)
    const [span, next] = [this.#spans[index], this.#spans[index + 1]]
    const behind = span ? Math.max(0, seconds - span.to) : Number.POSITIVE_INFINITY
    const ahead = next ? next.from - seconds : Number.POSITIVE_INFINITY
    return Math.min(behind, ahead)
  }

  /** The last span that begins at a moment or before it; -1 where none does. */
  #lastFrom(seconds: number): number {
    return lastAt(this.#spans.length, (i) => (this.#spans[i]?.from ?? 0) <= seconds)
  }
}

/** The last index of which something is true that is true of all before it; -1 where it is true of none. */
function lastAt(length: number, isTrue: (index: number) => boolean): number {
  let low = -1
  let high = length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isTrue(middle)) low = middle
    else high = middle - 1
  }
  return low
}

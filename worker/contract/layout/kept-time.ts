import { firstPlace } from '../first-place.ts'

/** Seconds of the raw timeline. */
export type TimeSpan = { readonly from: number; readonly to: number }

/** A kept span, which may begin before the previous one has ended: both are shown until then. */
type KeptSpan = TimeSpan & { readonly overlap?: number }

/**
 * The kept spans of one timeline, in order and apart from each other; in another timeline they follow each other directly, or
 * with an overlap.
 */
export class KeptTime {
  readonly #spans: readonly (TimeSpan & { readonly before: number; readonly place: number })[]

  constructor(spans: readonly KeptSpan[]) {
    let [before, place] = [0, 0]
    this.#spans = spans.map(({ from, to, overlap = 0 }) => {
      place -= overlap
      const placed = { from, to, before, place }
      before += to - from
      place += to - from
      return placed
    })
  }

  /** The place of a moment once the rest is removed. */
  placeOf(seconds: number): number {
    const span = this.#spans[this.#lastFrom(seconds)]
    return span ? span.place + Math.min(seconds, span.to) - span.from : 0
  }

  /** The moment that moves to a place: the reverse of `placeOf`. Of two that are shown at once, the later one. */
  momentAt(place: number): number {
    const spans = this.#spans
    const index = firstPlace(spans.length, (i) => (spans[i]?.place ?? 0) > place) - 1
    const span = spans[Math.max(0, index)]
    return span ? Math.min(span.to, span.from + Math.max(0, place - span.place)) : 0
  }

  keptWithin({ from, to }: TimeSpan): number {
    return Math.max(0, this.#keptBefore(to) - this.#keptBefore(from))
  }

  #keptBefore(seconds: number): number {
    const span = this.#spans[this.#lastFrom(seconds)]
    return span ? span.before + Math.min(seconds, span.to) - span.from : 0
  }

  /** Whether everything between two moments is kept, and nothing else is shown during a part of it. */
  isWhole(from: number, to: number): boolean {
    const isOnePart = this.#lastFrom(from) === this.#lastFrom(to)
    return isOnePart && this.keptWithin({ from, to }) > to - from - 1e-6
  }

  /** The distance from a moment to the nearest kept span. */
  distanceTo(seconds: number): number {
    const index = this.#lastFrom(seconds)
    const [span, next] = [this.#spans[index], this.#spans[index + 1]]
    const behind = span ? Math.max(0, seconds - span.to) : Number.POSITIVE_INFINITY
    const ahead = next ? next.from - seconds : Number.POSITIVE_INFINITY
    return Math.min(behind, ahead)
  }

  /** The index of the last span that begins at or before a moment; -1 if there is none. */
  #lastFrom(seconds: number): number {
    return firstPlace(this.#spans.length, (i) => (this.#spans[i]?.from ?? 0) > seconds) - 1
  }
}

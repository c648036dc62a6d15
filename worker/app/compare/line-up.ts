import type { ShownCut } from '../videos/read-plan.ts'

/** A cut: where it begins and ends in the source, and where the edit goes on behind it. In seconds. */
type LinedCut = readonly [from: number, to: number, at: number, why: ShownCut['why']]

/** What a page needs to show source and result at the same moment. */
export type LineUp = {
  /** How long the source and the result last. */
  seconds: number
  resultSeconds: number
  /** Seconds of the source that one second of the result shows. */
  speed: number
  /** The second of the edit with which the result begins: an output may be an excerpt. */
  begins: number
  /** In order; no two of them overlap. */
  cuts: readonly LinedCut[]
  /** Whether the source has no sound. */
  isSilent?: boolean
  /** Whether the browser plays the source from the address at which the service found it. */
  isElsewhere?: boolean
}

/** A stretch of the source that the edit keeps, and where it begins in the result. */
type LinedUp = { from: number; to: number; at: number }

/** Finds the moment of the result that belongs to a moment of the source, and the other way round. */
export class SharedTime {
  readonly line: LineUp
  /** The stretches that the cuts leave, in order. */
  readonly #pieces: readonly LinedUp[]

  constructor(line: LineUp) {
    const { begins, cuts, seconds } = line
    const starts = [
      { from: 0, at: -begins },
      ...cuts.map(([, to, at]) => ({ from: to, at: at - begins })),
    ]
    this.line = line
    this.#pieces = starts
      .map((start, i) => ({ ...start, to: cuts[i]?.[0] ?? seconds }))
      .filter(({ from, to }) => to > from)
  }

  /** A moment that was cut out becomes the one behind the cut. */
  inResult(second: number): number {
    const piece = this.#pieces.find(({ to }) => second < to) ?? this.#pieces.at(-1)
    if (!piece) return 0
    const inside = Math.min(Math.max(second, piece.from), piece.to) - piece.from
    const at = piece.at + inside / this.line.speed
    return Math.min(Math.max(0, at), this.line.resultSeconds)
  }

  inSource(second: number): number {
    const piece = this.#pieces.findLast(({ at }) => at <= second) ?? this.#pieces[0]
    if (!piece) return 0
    return Math.min(piece.to, piece.from + Math.max(0, second - piece.at) * this.line.speed)
  }

  /** The moments of the source between which the result lies. */
  get excerpt(): readonly [from: number, to: number] {
    return [this.inSource(0), this.inSource(this.line.resultSeconds)]
  }

  /** The cut that a moment of the source lies in. */
  cutAt(second: number): LinedCut | undefined {
    return this.line.cuts.find(([from, to]) => from <= second && second < to)
  }
}

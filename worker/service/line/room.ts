/** While it is unknown how many slots there are, this many jobs may try at once; each that finds one lets two more try. */
const firstTries = 4

/** How long to wait before looking for room again: doubling from the first to the longest. */
type CheckPauses = { firstMs: number; longestMs: number }

/**
 * How many jobs may try to get a slot. The number of slots is not known beforehand: a media worker without a free one says
 * so, and from then on only slots that fall free, or are found free by a look, are given away.
 */
export class Room {
  readonly #pauses: CheckPauses
  #isFull = false
  /** While it is full, slots that have fallen free; otherwise how many may try at once. */
  #free = 0
  #tries = firstTries
  #vain = 0
  /** The end of the last pause. A job that finds no slot before then has looked at the same moment as the one that began it. */
  #pausedUntil: number | undefined
  #isTrying = false
  /** When to look again; undefined while a look is of no use. */
  lookAt: number | undefined

  constructor(pauses: CheckPauses) {
    this.#pauses = pauses
  }

  /** Whether a job or a look has told how many slots there are. */
  get isKnown(): boolean {
    return this.#isFull
  }

  get isFull(): boolean {
    return this.#isFull && this.#free <= 0
  }

  /** Takes a place for one more job, beside those that are trying already. Returns false if none is left. */
  admit(trying: number): boolean {
    if (!this.#isFull) return trying < this.#tries
    if (this.#free <= 0) return false
    this.#free--
    return true
  }

  /** A place that was taken is not used: no job was next, or the job that was called has ended. */
  returnPlace(): void {
    if (this.#isFull) this.#free++
  }

  /** A job has found a slot. If the number of slots is unknown, there may be more. */
  started(): void {
    this.#endPauses()
    if (!this.#isFull) this.#tries += 2
    else if (this.#isTrying) this.#free += 2
  }

  /** A job found no slot. Several that tried at once say so one after another, and the pause doubles once for all of them. */
  foundNone(now: number): void {
    this.#isFull = true
    this.#free = 0
    this.#tries = firstTries
    this.#isTrying = false
    this.lookAt = this.#pause(now)
  }

  /** Until when nobody looks for room. A pause that is longer than any was begun before the clock was put back. */
  #pause(now: number): number {
    const { firstMs, longestMs } = this.#pauses
    const until = this.#pausedUntil
    if (until !== undefined && now < until && until <= now + longestMs) return until
    this.#pausedUntil = now + Math.min(longestMs, firstMs * 2 ** Math.min(this.#vain, 20))
    this.#vain++
    return this.#pausedUntil
  }

  #endPauses(): void {
    this.#vain = 0
    this.#pausedUntil = undefined
  }

  /** A slot that may have been counted as free was lent to a job that has one already. */
  lent(): void {
    if (this.#isFull && this.#free > 0) this.#free--
  }

  /** A slot has fallen free. */
  freed(): void {
    this.#endPauses()
    if (this.#isFull) this.#free++
  }

  /** Lets one job try whether a slot is free, where no media worker can be asked. */
  tryOne(now: number): void {
    this.#isTrying = true
    this.found(1, now)
  }

  /** A look has found this number of free slots, of which none is promised yet. */
  found(slots: number, now: number): void {
    if (slots <= 0) {
      this.foundNone(now)
      return
    }
    this.#isFull = true
    this.#free = slots
    this.lookAt = now + this.#pauses.longestMs
  }
}

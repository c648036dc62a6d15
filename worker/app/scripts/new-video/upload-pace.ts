const windowMs = 8000
const soonestMs = 1500

type Sample = { at: number; bytes: number }

/** How fast bytes have gone lately, and how long the rest will take at that. */
export class UploadPace {
  #samples: Sample[] = []

  note(bytes: number, at: number): void {
    this.#samples.push({ at, bytes })
    this.#samples = this.#samples.filter((sample) => at - sample.at <= windowMs)
  }

  /** After a pause, what was before it says nothing. */
  forget(): void {
    this.#samples = []
  }

  /** Undefined until enough has gone to tell. */
  get bytesPerSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.at - first.at < soonestMs || last.bytes <= first.bytes) {
      return undefined
    }
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
  }

  secondsFor(bytes: number): number | undefined {
    const pace = this.bytesPerSecond
    return pace === undefined ? undefined : bytes / pace
  }
}

/** Two steps that differ by less than this share count as the same. */
const resolution = 0.001
const leastStep = 1e-6
const mostStep = 1e6
const binCount = 2 + Math.floor(Math.log(mostStep / leastStep) / Math.log(1 + resolution))

/** The median, minimum and maximum of any number of time steps, in a fixed amount of memory. */
export class StepHistogram {
  readonly #counts = new Float64Array(binCount)
  readonly #sums = new Float64Array(binCount)
  count = 0
  least = Number.POSITIVE_INFINITY
  most = 0

  add(seconds: number): void {
    const bin = binOf(seconds)
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
    this.#sums[bin] = (this.#sums[bin] ?? 0) + seconds
    this.count += 1
    if (seconds < this.least) this.least = seconds
    if (seconds > this.most) this.most = seconds
  }

  /** The mean of the steps that count as the same as the median; undefined if there are no steps. */
  get middle(): number | undefined {
    let before = this.count >> 1
    for (let bin = 0; bin < binCount; bin++) {
      const count = this.#counts[bin] ?? 0
      if (before < count) return (this.#sums[bin] ?? 0) / count
      before -= count
    }
    return undefined
  }

  /** How many of all steps are this long, give or take. */
  shareNear(seconds: number, tolerance: number): number {
    let near = 0
    for (let bin = binOf(seconds - tolerance); bin <= binOf(seconds + tolerance); bin++) {
      near += this.#counts[bin] ?? 0
    }
    return this.count === 0 ? 0 : near / this.count
  }
}

function binOf(seconds: number): number {
  if (!(seconds >= leastStep)) return 0
  const bin = 1 + Math.floor(Math.log(seconds / leastStep) / Math.log(1 + resolution))
  return Math.min(bin, binCount - 1)
}

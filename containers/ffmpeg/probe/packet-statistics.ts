import { mostRoundingSeconds } from '../../timeline/frame-rate.ts'

/** How the pictures of a stream follow one another. */
export type Rhythm = {
  readonly pictures: number
  /** The median time between two pictures: the rate of the motion, however long nothing moves in between. */
  readonly usualSeconds: number
  readonly isSteady: boolean
  /** Some pictures stand for several others, as in screen recordings. */
  readonly hasGaps: boolean
}

export type PacketTimes = {
  readonly pts: number | undefined
  readonly dts: number | undefined
  readonly duration: number | undefined
  /** Whether an edit list leaves the packet out. */
  readonly isDiscarded: boolean
}

const gapFactor = 3
/** Pictures are stored in decoding order: at most this many places before pictures that are shown earlier. */
const reorderedPackets = 64

const fieldSeconds = 1001 / 60_000
const filmSeconds = 1001 / 24_000
const almostHalf = 0.4
const almostAll = 0.95

/** Whether this is film for television, whose pictures stand for two fields and three in turn: at its own rate none is repeated. */
function isPulledDown(steps: StepHistogram): boolean {
  const two = steps.shareNear(2 * fieldSeconds, mostRoundingSeconds)
  const three = steps.shareNear(3 * fieldSeconds, mostRoundingSeconds)
  return Math.min(two, three) > almostHalf && two + three > almostAll
}

/** Collects the statistics of a stream's packets one by one, without keeping the packets. */
export class PacketStatistics {
  count = 0
  /** The latest end of a packet, among the packets that say how long they are. */
  last = Number.NEGATIVE_INFINITY
  /** The latest start of a packet that does not say how long it is. */
  #lastOpenStart = Number.NEGATIVE_INFINITY
  readonly #steps = new StepHistogram()
  /** Ascending. */
  readonly #waiting: number[] = []
  #shown: number | undefined
  #pictures = 0

  add({ pts, dts, duration = 0, isDiscarded }: PacketTimes): void {
    const at = pts ?? dts
    if (at === undefined || isDiscarded) return
    this.count += 1
    this.last = Math.max(this.last, at + duration)
    if (duration === 0) this.#lastOpenStart = Math.max(this.#lastOpenStart, at)
    if (pts !== undefined) this.#order(pts)
  }

  /** If the last packet does not say how long it is, the usual step of its stream counts. */
  get end(): number {
    if (this.#lastOpenStart < this.last) return this.last
    return this.last + (this.rhythm?.usualSeconds ?? 0)
  }

  /** Undefined if the packets have no times, or if there is only one. Read this only after all packets were added. */
  get rhythm(): Rhythm | undefined {
    while (this.#waiting.length > 0) this.#showNext()
    const { middle, least, most } = this.#steps
    if (!middle) return undefined
    return {
      pictures: this.#pictures,
      usualSeconds: isPulledDown(this.#steps) ? filmSeconds : middle,
      isSteady: most - least <= 2 * mostRoundingSeconds,
      hasGaps: most > middle * gapFactor,
    }
  }

  #order(at: number): void {
    let place = this.#waiting.length
    while (place > 0 && (this.#waiting[place - 1] ?? 0) > at) place -= 1
    if (place === this.#waiting.length) this.#waiting.push(at)
    else this.#waiting.splice(place, 0, at)
    if (this.#waiting.length > reorderedPackets) this.#showNext()
  }

  #showNext(): void {
    const at = this.#waiting.shift()
    if (at === undefined) return
    this.#pictures += 1
    // Ignores pictures that come later than any decoder waits: times that jump back say nothing about the rhythm.
    if (this.#shown !== undefined && at >= this.#shown) this.#steps.add(at - this.#shown)
    this.#shown = at
  }
}

/** Two steps that differ by less than this share count as the same. */
const resolution = 0.001
const leastStep = 1e-6
const mostStep = 1e6
const binCount = 2 + Math.floor(Math.log(mostStep / leastStep) / Math.log(1 + resolution))

/** The median, minimum and maximum of any number of time steps, in a fixed amount of memory. */
class StepHistogram {
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

  /** The share of steps with about this length. */
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

import type { Pace, Paces, WorkDone } from '../../contract/job/paces.ts'

/** Milliseconds for a unit of each kind of work, as the last jobs have taken, the oldest first. */
export type KeptPaces = Record<string, number[]>

const mostKept = 12
const mostKinds = 240
/** Even if the last jobs were all alike, footage and machines differ by this much. */
const leastSpread = 0.2
/** A wider range would be of no use to a reader. */
const mostSpread = 1

/** How fast the media workers of this service are, learnt from the last jobs; forecasts of the next ones use it. */
export class PastPaces {
  #kept: KeptPaces

  constructor(kept: KeptPaces = {}) {
    this.#kept = kept
  }

  get kept(): KeptPaces {
    return this.#kept
  }

  note(worked: readonly WorkDone[]): void {
    for (const { kind, units, ms } of worked) {
      if (ms <= 0) continue
      const { [kind]: before = [], ...others } = this.#kept
      // The kind that was seen last is the last to be forgotten.
      this.#kept = { ...others, [kind]: [...before, ms / units].slice(-mostKept) }
    }
    this.#kept = Object.fromEntries(Object.entries(this.#kept).slice(-mostKinds))
  }

  get paces(): Paces {
    return Object.fromEntries(Object.entries(this.#kept).map(([kind, all]) => [kind, paceOf(all)]))
  }
}

/** The median, and how far the others are from it; few of them say less. */
function paceOf(all: readonly number[]): Pace {
  const ms = median(all)
  const far = median(all.map((one) => Math.abs(Math.log(one / ms)))) * 1.48
  const spread = Math.hypot(Math.max(leastSpread, far), 0.5 / Math.sqrt(all.length))
  return { ms, spread: Math.min(mostSpread, spread) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

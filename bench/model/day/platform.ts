import { inputs } from '../inputs.ts'
import type { Random } from '../../../fuzz/random.ts'

const hour = 3_600_000

/** What goes wrong on the day. */
export const troubles = {
  /** A new version is rolled out: for so long, new containers fetch its image before they start. */
  rollout: { at: 11 * hour, forMs: 15 * 60_000, startSeconds: [15, 40] as const },
  /** The platform has only a part of the containers that it should have. */
  shortage: { at: 16 * hour, forMs: 20 * 60_000, share: 0.5 },
  /** The share of failed attempts whose media worker says nothing, so that only the lease ends them. */
  lostShare: 0.5,
  leaseSeconds: 60,
}

export function during({ at, forMs }: { at: number; forMs: number }, now: number): boolean {
  return now >= at && now < at + forMs
}

/** The containers of the account: how many run, how long one takes to start. */
export class Containers {
  busy = 0
  mostBusy = 0
  readonly #most: number
  readonly #random: Random

  constructor(most: number, random: Random) {
    this.#most = most
    this.#random = random
  }

  start(now: number): boolean {
    const { shortage } = troubles
    const most = during(shortage, now) ? Math.floor(this.#most * shortage.share) : this.#most
    if (this.busy >= most) return false
    this.busy++
    this.mostBusy = Math.max(this.mostBusy, this.busy)
    return true
  }

  stop(): void {
    this.busy--
  }

  startMs(now: number): number {
    const { rollout } = troubles
    const usual = inputs.coldStartSeconds.value
    const [least, longest] = during(rollout, now) ? rollout.startSeconds : [usual / 2, usual * 1.5]
    return this.#random.between(least, longest) * 1000
  }
}

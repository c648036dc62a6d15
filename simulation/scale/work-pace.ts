import { drawLength } from '../../bench/model/day/simulate-day.ts'
import { inputs } from '../../bench/model/inputs.ts'
import { during, troubles } from '../../bench/model/day/platform.ts'
import { Random } from '../../fuzz/random.ts'
import type { Pace } from '../actors/media-work.ts'

type Attempt = { length: number; trouble: 'fails' | 'falls silent' | undefined }

const maxAttempts = 3
const measuringSeconds = 0.5

/** Work as long as in the model, which fails as often, and containers that start and go missing as there. */
export class WorkPace implements Pace {
  readonly #random: Random
  readonly #starts: Random
  readonly #attempts = new Map<string, Attempt>()

  constructor(seed: number) {
    this.#random = new Random(seed + 1)
    this.#starts = new Random(seed + 2)
  }

  ms(phase: string, claim: string): number {
    const { length } = this.#attempt(claim)
    return length * 1000 * (secondsOf[phase] ?? 0)
  }

  trouble(claim: string): Attempt['trouble'] {
    return this.#attempt(claim).trouble
  }

  forget(claim: string): void {
    this.#attempts.delete(claim)
  }

  /** `ms`: the time of the day. */
  startMs(ms: number): number {
    const usual = inputs.coldStartSeconds.value
    const { rollout } = troubles
    const [least, most] = during(rollout, ms) ? rollout.startSeconds : [usual / 2, usual * 1.5]
    return this.#starts.between(least, most) * 1000
  }

  /** How many containers the platform can start at this time of the day; `most` is what is usual. */
  containersOf(most: number, ms: number): number {
    return during(troubles.shortage, ms) ? Math.floor(most * troubles.shortage.share) : most
  }

  #attempt(claim: string): Attempt {
    const known = this.#attempts.get(claim)
    if (known) return known
    const fence = Number(claim.split('/')[1])
    const whole = drawLength(this.#random)
    const fails = this.#random.share() < inputs.failedShare.value && fence < maxAttempts
    // What fails does so anywhere in its work, on average in the middle.
    const length = fails ? whole * this.#random.share() : whole
    const isSilent = fails && this.#random.share() < troubles.lostShare
    const attempt: Attempt = {
      length,
      trouble: isSilent ? 'falls silent' : fails ? 'fails' : undefined,
    }
    this.#attempts.set(claim, attempt)
    return attempt
  }
}

/** Of work of usual length. */
export const secondsOf: Readonly<Record<string, number>> = {
  fetching: inputs.fetchSeconds.value - measuringSeconds,
  measuring: measuringSeconds,
  rendering: inputs.renderSeconds.value,
  uploading: inputs.uploadSeconds.value,
}

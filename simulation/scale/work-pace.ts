import { drawAttempt } from '../../bench/model/day/simulate-day.ts'
import { inputs } from '../../bench/model/inputs.ts'
import { during, troubles } from '../../bench/model/day/platform.ts'
import { Random } from '../../fuzz/random.ts'
import type { Pace } from '../actors/media-work.ts'

type Attempt = { length: number; trouble: 'fails' | 'falls silent' | undefined }

const measuringSeconds = 0.5

/** Work as long as in the model, which fails as often, and containers that start and go missing as there. */
export class WorkPace implements Pace {
  readonly #seed: number
  readonly #numberOf: (jobId: string) => number
  readonly #starts: Random
  readonly #attempts = new Map<string, Attempt>()
  /** How many attempts of each job there were. */
  readonly #counts = new Map<string, number>()

  /** `numberOf`: which of the videos that came a job works at, from 0 on. */
  constructor(seed: number, numberOf: (jobId: string) => number) {
    this.#seed = seed
    this.#numberOf = numberOf
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
    const [jobId = ''] = claim.split('/')
    const count = (this.#counts.get(jobId) ?? 0) + 1
    this.#counts.set(jobId, count)
    const { length, fails, isLost } = drawAttempt(this.#seed, this.#numberOf(jobId), count)
    const trouble = isLost ? 'falls silent' : fails ? 'fails' : undefined
    const attempt: Attempt = { length, trouble }
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

import { inputs } from '../../bench/model/inputs.ts'
import { Random } from '../../fuzz/random.ts'
import type { Pace } from '../actors/media/media-work.ts'

type Attempt = { length: number; trouble: 'fails' | 'falls silent' | undefined }

const measuringSeconds = 0.5
const maxAttempts = 3
const hour = 3_600_000

/** The troubles of the day. */
const troubles = {
  /** A new version is rolled out: for this long, new containers fetch its image before they start. */
  rollout: { at: 11 * hour, forMs: 15 * 60_000, startSeconds: [15, 40] as const },
  /** The platform provides only a part of the containers. */
  shortage: { at: 16 * hour, forMs: 20 * 60_000, share: 0.5 },
  /** The share of failed attempts whose media worker reports nothing, so that only the lease ends them. */
  lostShare: 0.5,
}

function during({ at, forMs }: { at: number; forMs: number }, now: number): boolean {
  return now >= at && now < at + forMs
}

/**
 * How one attempt goes, which depends only on the video and on the number of the attempt, so that it goes the same way wherever
 * the day is simulated: while few containers make long lines, waits depend on who has the long work. Most jobs are shorter than
 * the mean, and a few far longer.
 */
function drawAttempt(seed: number, video: number, attempt: number): Attempt {
  const random = new Random(seed, video, attempt)
  const spread = 0.7
  const whole = Math.exp(spread * random.noise() - (spread * spread) / 2)
  if (random.share() >= inputs.failedShare.value || attempt >= maxAttempts)
    return { length: whole, trouble: undefined }
  // An attempt fails anywhere in its work, on average in the middle.
  const length = whole * random.share()
  return { length, trouble: random.share() < troubles.lostShare ? 'falls silent' : 'fails' }
}

/** Work as long as in the model, and containers that start slowly and go missing. */
export class WorkPace implements Pace {
  readonly #seed: number
  readonly #numberOf: (jobId: string) => number
  readonly #starts: Random
  readonly #attempts = new Map<string, Attempt>()
  /** How many attempts of each job there were. */
  readonly #counts = new Map<string, number>()

  /** `numberOf`: the number of the arrival to which a job belongs, from 0. */
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

  /** How many containers the platform can start at this time of the day; `most` is the usual number. */
  containersOf(most: number, ms: number): number {
    return during(troubles.shortage, ms) ? Math.floor(most * troubles.shortage.share) : most
  }

  #attempt(claim: string): Attempt {
    const known = this.#attempts.get(claim)
    if (known) return known
    const [jobId = ''] = claim.split('/')
    const count = (this.#counts.get(jobId) ?? 0) + 1
    this.#counts.set(jobId, count)
    const attempt = drawAttempt(this.#seed, this.#numberOf(jobId), count)
    this.#attempts.set(claim, attempt)
    return attempt
  }
}

/** The seconds of work of usual length. */
const secondsOf: Readonly<Record<string, number>> = {
  fetching: inputs.fetchSeconds.value - measuringSeconds,
  measuring: measuringSeconds,
  rendering: inputs.renderSeconds.value,
  uploading: inputs.uploadSeconds.value,
}

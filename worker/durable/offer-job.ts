import { buildMediaJob } from '../service/build-media-job.ts'
import type { Settings } from '../settings.ts'
import type { JobToRun } from '../store/jobs.ts'
import type { MediaCarrier, OfferAnswer } from './media-worker.ts'
import type { Running } from './run-state.ts'

export type Taken = Pick<Running, 'fence' | 'attempt' | 'worker'>

type Offering = {
  found: JobToRun
  /** The last claim offered to anybody. */
  fence: number
  /** Remembers a claim before anybody hears of it. */
  claim: (fence: number) => void
}

/** Asks one media worker after another, until one says yes. */
export async function offerJob(
  carrier: MediaCarrier,
  settings: Settings,
  { found, fence: before, claim }: Offering,
): Promise<Taken | 'no-capacity' | 'refused'> {
  const attempt = found.job.attempts + 1
  const answers: OfferAnswer[] = []
  let fence = before
  for (const worker of carrier.workers()) {
    // A claim of its own for each: one whose yes was lost on the way must not pass for the one that holds the job.
    fence++
    claim(fence)
    const answer = await carrier.offer(
      worker,
      await buildMediaJob(settings, found, { fence, attempt }),
    )
    if (answer === 'taken') return { fence, attempt, worker }
    answers.push(answer)
  }
  // One that is silent may be gone for good; it must not keep a job waiting that all others refuse.
  const spoke = answers.filter((answer) => answer !== 'silent')
  return spoke.length > 0 && spoke.every((answer) => answer === 'refused')
    ? 'refused'
    : 'no-capacity'
}

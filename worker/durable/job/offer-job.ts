import { buildMediaJob } from '../../service/jobs/build-media-job.ts'
import type { Settings } from '../../settings.ts'
import type { JobToRun } from '../../store/jobs/jobs.ts'
import type { MediaCarrier, OfferAnswer } from '../media-workers/media-worker.ts'
import type { Running } from './run-state.ts'

export type Taken = Pick<Running, 'fence' | 'attempt' | 'worker'>

type Offering = {
  found: JobToRun
  interrupted: AbortSignal
  /** The number of the last claim that was offered. */
  fence: number
  /** Remembers a claim before any media worker hears of it. */
  claim: (fence: number) => void
}

/** Asks one media worker after another until one accepts. */
export async function offerJob(
  carrier: MediaCarrier,
  settings: Settings,
  { found, fence: before, claim, interrupted }: Offering,
): Promise<Taken | 'busy' | 'silent' | 'refused'> {
  const attempt = found.job.attempts + 1
  const answers: OfferAnswer[] = []
  let fence = before
  for (const worker of carrier.workers()) {
    if (interrupted.aborted) return 'silent'
    // Each worker is offered a claim of its own: if the "yes" of one is lost, it must not pass for the one that holds
    // the job.
    fence++
    claim(fence)
    const job = await buildMediaJob(settings, found, { fence, attempt, worker })
    const answer = await carrier.offer(worker, job, interrupted)
    if (answer === 'taken') return { fence, attempt, worker }
    answers.push(answer)
  }
  return sumUp(answers)
}

/**
 * A silent worker may be gone for good, so it must not keep a job waiting that all others refuse. `busy` means that any
 * free slot would do, which is not so if some workers refused the job.
 */
function sumUp(answers: readonly OfferAnswer[]): 'busy' | 'silent' | 'refused' {
  const spoke = answers.filter((answer) => answer !== 'silent')
  if (spoke.length === 0) return 'silent'
  if (spoke.every((answer) => answer === 'refused')) return 'refused'
  return spoke.includes('refused') ? 'silent' : 'busy'
}

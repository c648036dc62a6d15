import { signMessage, signatureHeader } from '../../contract/job/signed-message.ts'
import type { CancelRequest, MediaJob } from '../../contract/job/media-job.ts'
import { foreseenJob, type ForeseenJob } from '../../contract/job/foresight.ts'
import type { PartJob } from '../../contract/job/part-job.ts'
import { cancelAnswer, type AttemptTrace } from '../../contract/job/report.ts'
import { describeError, log } from '../../service/log.ts'

/** A media worker that does not answer in this time counts as silent. */
const answerTimeoutMs = 5000

/** `busy` and `silent` both mean "not now". A worker that has `refused` would refuse again. */
export type OfferAnswer = 'taken' | 'busy' | 'silent' | 'refused'

/** `late`: reading the sources takes longer than a plan may. */
export type PlanAnswer = ForeseenJob | 'busy' | 'silent' | 'refused' | 'late'

export type Offered = MediaJob | PartJob
/** The part of the job that is to stop, if not the whole job. */
type PartOf = CancelRequest['part']

/** The two ways to reach a media worker: a container of the job's own, or a Node process over HTTP. */
export type MediaCarrier = {
  /** The workers that may be asked, in the order to ask them. */
  workers(): string[]
  /**
   * Whether this worker takes the job; anything but a clear yes means no. An interrupted offer ends at once, but the
   * worker may have received it.
   */
  offer(worker: string, job: Offered, interrupted: AbortSignal): Promise<OfferAnswer>
  /** Best effort: a worker that misses it is told to stop by the answer to its next report. */
  cancel(
    worker: string,
    jobId: string,
    fence: number,
    part?: PartOf,
  ): Promise<AttemptTrace | undefined>
  /** The versions of the programs of the media workers that take jobs now, as far as they can be asked. */
  engines(): Promise<string[]>
  /** Foresees a job without making it. */
  plan(worker: string, job: MediaJob): Promise<PlanAnswer>
  /** Frees whatever was held for the job, once it is over. */
  release(): Promise<void>
  /** Why the worker of a running job has certainly stopped; undefined while it may live. */
  gone(): string | undefined
  /** Called at every check of a running job, to keep its worker from being stopped. */
  renew(): Promise<void>
  /** How often a running job is checked, if its lease does not end earlier. */
  lookMs: number
  /** An offer may take as long as a container takes to start, and the queue must not wait for that. */
  startsSlowly: boolean
}

export type Send = (path: string, init: RequestInit) => Promise<Response>

/** How one media worker is reached, and the token that it knows. */
export type WorkerConnection = { readonly send: Send; readonly token: string }

type Post = { path: string; message: unknown; signal: AbortSignal }

async function postSigned({ send, token }: WorkerConnection, { path, message, signal }: Post) {
  const body = JSON.stringify(message)
  return send(path, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      [signatureHeader]: await signMessage(token, body, Date.now()),
    },
    signal,
  })
}

/** Whether this worker takes the job. */
export async function offerTo(
  line: WorkerConnection,
  worker: string,
  { job, interrupted }: { job: Offered; interrupted: AbortSignal },
): Promise<OfferAnswer> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(answerTimeoutMs)])
  const response = await postSigned(line, { path: '/jobs', message: job, signal })
  return judge({ status: response.status, text: await response.text() }, worker, job)
}

/** Longer than a media worker spends on a plan before it gives up by itself. */
const planTimeoutMs = 40_000

export async function planAt(
  line: WorkerConnection,
  worker: string,
  job: MediaJob,
): Promise<PlanAnswer> {
  const signal = AbortSignal.timeout(planTimeoutMs)
  const response = await postSigned(line, { path: '/plans', message: job, signal })
  const text = await response.text()
  if (response.status === 200) return foreseenJob.parse(JSON.parse(text))
  if (response.status === 504) return 'late'
  const answer = judge({ status: response.status, text }, worker, job)
  return answer === 'taken' ? 'silent' : answer
}

type WorkerAnswer = { status: number; text: string }

/** Only a 202 means yes. A 4xx is a refusal of the job; an error of the worker is treated like silence. */
function judge({ status, text }: WorkerAnswer, worker: string, { jobId }: Offered): OfferAnswer {
  if (status === 202) return 'taken'
  if (status === 503) return 'busy'
  const answer = text.slice(0, 300)
  log('error', 'media worker refused a job', { worker, jobId, status, answer })
  return status >= 400 && status < 500 ? 'refused' : 'silent'
}

/** The worker answers once the work has stopped, with a trace of what it had done. */
export async function cancelAt(
  line: WorkerConnection,
  { jobId, fence, part }: CancelRequest,
): Promise<AttemptTrace | undefined> {
  try {
    const message = { jobId, fence, ...(part && { part }) }
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const response = await postSigned(line, { path: '/jobs/cancel', message, signal })
    const answer = cancelAnswer.safeParse(await response.json())
    return answer.success ? answer.data.trace : undefined
  } catch (error) {
    log('warn', 'media worker did not hear a cancel', { jobId, fence, ...describeError(error) })
    return undefined
  }
}

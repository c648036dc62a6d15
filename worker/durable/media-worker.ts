import { signMessage, signatureHeader } from '../contract/signature.ts'
import { inFormerVersion, type MediaJob } from '../contract/media-job.ts'
import { cancelAnswer, type AttemptTrace } from '../contract/report.ts'
import { describeError, log } from '../service/log.ts'

/** No answer in this time counts as no capacity. */
const answerTimeoutMs = 5000

/** `busy` and `silent` both mean: not now. One that has `refused` would refuse again. */
export type OfferAnswer = 'taken' | 'busy' | 'silent' | 'refused'

/** The two ways to reach a media worker: an own container, or Node processes over HTTP. */
export type MediaCarrier = {
  /** Who may be asked, in the order to ask them. */
  workers(): string[]
  /** Whether this worker takes the job; no clear yes is a no. An interrupted offer ends at once, and may have been heard. */
  offer(worker: string, job: MediaJob, interrupted: AbortSignal): Promise<OfferAnswer>
  /** Best effort: a worker that misses it is told to stop by the answer to its next report. */
  cancel(worker: string, jobId: string, fence: number): Promise<AttemptTrace | undefined>
  /** The job is over: whatever was held for it may go. */
  release(): Promise<void>
  /** True when the worker of a running job is certainly no more. */
  isGone(): boolean
  /** Called at every sign of life of a running job. */
  renew(): Promise<void>
  /** A running job is looked at this often, if its lease does not end before. */
  lookMs: number
}

export type Send = (path: string, init: RequestInit) => Promise<Response>

/** How one media worker is reached, and what it knows us by. */
export type Line = { readonly send: Send; readonly token: string }

type Post = { path: string; message: unknown; signal: AbortSignal }

async function postSigned({ send, token }: Line, { path, message, signal }: Post) {
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

/**
 * Whether this worker takes the job. One of the former version, which says that it does not know this one, is asked once
 * more in its own.
 */
export async function offerTo(
  line: Line,
  worker: string,
  { job, interrupted }: { job: MediaJob; interrupted: AbortSignal },
): Promise<OfferAnswer> {
  const answer = await postJob(line, job, interrupted)
  if (answer.status !== 400 || !namesVersion.test(answer.text)) return judge(answer, worker, job)
  return judge(await postJob(line, inFormerVersion(job), interrupted), worker, job)
}

/** As it stands in the answer of every version: a fault of the field `version`. */
const namesVersion = /\bversion: /

type Answer = { status: number; text: string }

async function postJob(line: Line, message: MediaJob, interrupted: AbortSignal): Promise<Answer> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(answerTimeoutMs)])
  const response = await postSigned(line, { path: '/jobs', message, signal })
  return { status: response.status, text: await response.text() }
}

/** Only a 202 is a yes. A fault of the worker is as good as silence; a fault of the job is a refusal. */
function judge({ status, text }: Answer, worker: string, { jobId }: MediaJob): OfferAnswer {
  if (status === 202) return 'taken'
  if (status === 503) return 'busy'
  const answer = text.slice(0, 300)
  log('error', 'media worker refused a job', { worker, jobId, status, answer })
  return status >= 400 && status < 500 ? 'refused' : 'silent'
}

/** The worker answers when the work has stopped, and says how far it had come. */
export async function cancelAt(
  line: Line,
  jobId: string,
  fence: number,
): Promise<AttemptTrace | undefined> {
  try {
    const message = { jobId, fence }
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const response = await postSigned(line, { path: '/jobs/cancel', message, signal })
    const answer = cancelAnswer.safeParse(await response.json())
    return answer.success ? answer.data.trace : undefined
  } catch (error) {
    log('warn', 'media worker did not hear a cancel', { jobId, fence, ...describeError(error) })
    return undefined
  }
}

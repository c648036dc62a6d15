import { afterEach, beforeEach, vi } from 'vitest'
import {
  cancelRequest,
  mediaJob,
  type CancelRequest,
  type MediaJob,
} from '../../../worker/contract/job/media-job.ts'
import { partJob, type PartJob } from '../../../worker/contract/job/part-job.ts'
import { signatureHeader, verifyMessage } from '../../../worker/contract/job/signed-message.ts'
import { bindings } from './bindings.ts'
import { countSubrequest } from './platform/platform-limits.ts'

type Offer = { worker: string; job: MediaJob }
type PartOffer = { worker: string; part: PartJob }
type Cancel = { worker: string } & CancelRequest

const idle = {
  ...{ status: 'ok', version: 1, slots: 1, running: 0, fetching: 0, stopping: false },
  disk: { freeBytes: 1e11, reserveBytes: 1e9 },
}

/** A media worker's answer to GET /health. */
export function healthAnswer(state: Partial<typeof idle> & Record<string, unknown> = {}): Response {
  return Response.json({ ...idle, ...state })
}

/** What media workers answer to an offer. */
export const busy = () => new Response(null, { status: 503 })
export const taken = () => new Response(null, { status: 202 })

/** Media workers that take every job and do nothing, unless a test changes that. */
export class MediaWorkers {
  readonly urls = bindings.MEDIA_WORKER_URLS.split(',')
  readonly offers: Offer[] = []
  /** Parts of films, which are offered like jobs. */
  readonly partOffers: PartOffer[] = []
  readonly cancels: Cancel[] = []
  /** The answer to POST /jobs; a throw is a broken connection. */
  takeJob: (offer: Offer) => Response | Promise<Response> = taken
  takePart: (offer: PartOffer) => Response = taken
  answerCancel: () => Response = () => Response.json({ canceled: true })
  answerPlan: (job: MediaJob) => Response = busy
  answerHealth: (worker: string) => Response = () => healthAnswer()

  /** The answer to any other fetch; by default, none is allowed. */
  answerElsewhere: (request: Request) => Response | Promise<Response> = ({ url }) => {
    throw new Error(`a request left the tests: ${url}`)
  }

  offersOf(jobId: string): Offer[] {
    return this.offers.filter(({ job }) => job.jobId === jobId)
  }

  /** The job as it was last offered. */
  lastJob(jobId: string): MediaJob {
    const last = this.offersOf(jobId).at(-1)
    if (!last) throw new Error(`${jobId} was offered to nobody`)
    return last.job
  }

  async answer(request: Request): Promise<Response> {
    const worker = new URL(request.url).origin
    const { pathname } = new URL(request.url)
    if (!this.urls.includes(worker)) return this.answerElsewhere(request)
    if (pathname === '/health') return this.answerHealth(worker)
    const body = await request.text()
    if (!(await isSigned(request, body))) return new Response(null, { status: 401 })
    if (pathname === '/jobs') {
      const message: unknown = JSON.parse(body)
      if (isPart(message)) {
        const offer = { worker, part: partJob.parse(message) }
        this.partOffers.push(offer)
        return this.takePart(offer)
      }
      const offer = { worker, job: mediaJob.parse(message) }
      this.offers.push(offer)
      return this.takeJob(offer)
    }
    if (pathname === '/plans') return this.answerPlan(mediaJob.parse(JSON.parse(body)))
    this.cancels.push({ worker, ...cancelRequest.parse(JSON.parse(body)) })
    return this.answerCancel()
  }
}

function isPart(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message
}

async function isSigned(request: Request, body: string): Promise<boolean> {
  const header = request.headers.get(signatureHeader)
  return verifyMessage(bindings.MEDIA_WORKER_TOKEN, body, header, Date.now())
}

/**
 * Answers at MEDIA_WORKER_URLS with media workers for every test of the file; nothing else can be fetched, and no request
 * runs out of time by itself.
 */
export function standInMediaWorkers(): { current: MediaWorkers } {
  const workers = { current: new MediaWorkers() }
  beforeEach(() => {
    workers.current = new MediaWorkers()
    // An object that still waits for a timer does not die until the timer has fired.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      countSubrequest()
      return workers.current.answer(new Request(input, init))
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return workers
}

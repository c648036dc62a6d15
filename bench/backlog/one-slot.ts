import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { mediaJob, type MediaJob } from '../../worker/contract/job/media-job.ts'
import { signatureHeader, signMessage } from '../../worker/contract/job/signed-message.ts'

const patienceMs = 90_000
const heartbeatMs = 5_000

/** A media worker with one slot, which does no work: a job holds the slot until it is told to end. */
export class OneSlot {
  readonly url: string
  /** Jobs that it was offered while the slot was taken. */
  refused = 0
  /** Where the service listens now: it has another port after a restart. */
  baseUrl = ''
  readonly #server: Server
  #job: MediaJob | undefined
  #sequence = 0
  #onTaken: (() => void) | undefined
  readonly #heartbeat: NodeJS.Timeout

  private constructor(server: Server, port: number) {
    this.#server = server
    this.url = `http://127.0.0.1:${port}`
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { status, answer } = this.#answer(request.url ?? '', body)
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(answer))
      })
    })
    this.#heartbeat = setInterval(() => {
      if (this.#job) void this.#report(this.#job, working).catch(() => undefined)
    }, heartbeatMs)
  }

  static async open(): Promise<OneSlot> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('No port was given')
    return new OneSlot(server, address.port)
  }

  /** Resolves as soon as a job has the slot. */
  async taken(): Promise<void> {
    const late = AbortSignal.timeout(patienceMs)
    while (!this.#job) {
      if (late.aborted) throw new Error('No job came for a free slot')
      const came = new Promise<void>((resolve) => (this.#onTaken = resolve))
      await Promise.race([came, delay(100)])
    }
  }

  /** The slot falls free, and the service is told so. Returns how long it takes until the next job is offered. */
  async goOn(): Promise<number> {
    const job = this.#job
    if (!job) throw new Error('No job has the slot')
    const began = performance.now()
    this.#job = undefined
    const reported = this.#report(job, ended)
    await this.taken()
    const tookMs = performance.now() - began
    await reported
    return tookMs
  }

  /** As if the process had been killed and started again. */
  forget(): void {
    this.#job = undefined
  }

  close(): void {
    clearInterval(this.#heartbeat)
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answer(path: string, body: string): { status: number; answer: object } {
    if (path === '/health') {
      const running = this.#job ? 1 : 0
      return {
        status: 200,
        answer: {
          ...{ status: 'ok', version: 1, slots: 1, running, fetching: 0, stopping: false },
          disk: { freeBytes: 1e11, reserveBytes: 1e9 },
        },
      }
    }
    if (path !== '/jobs') return { status: 200, answer: { canceled: false } }
    if (this.#job) {
      this.refused++
      return { status: 503, answer: {} }
    }
    this.#job = mediaJob.parse(JSON.parse(body))
    this.#sequence = 0
    this.#onTaken?.()
    return { status: 202, answer: {} }
  }

  async #report(job: MediaJob, report: object): Promise<void> {
    const { fence } = job
    const body = JSON.stringify({ fence, sequence: ++this.#sequence, ...report })
    const { pathname } = new URL(job.reports.url)
    const response = await fetch(this.baseUrl + pathname, {
      method: 'POST',
      body,
      headers: { [signatureHeader]: await signMessage(job.reports.key, body, Date.now()) },
    })
    if (!response.ok) throw new Error(`A report was answered ${response.status}`)
    await response.body?.cancel()
  }
}

const working = { type: 'progress', phase: 'fetching', progressPercent: 1 }
const ended = {
  type: 'failed',
  reason: 'internal',
  message: 'The benchmark ends it.',
  retryable: false,
  trace: { phases: [], commands: [] },
}

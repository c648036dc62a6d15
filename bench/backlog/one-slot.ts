import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { listen, type LocalServer } from '../../test/support/node/listen.ts'
import { mediaJob, type MediaJob } from '../../worker/contract/job/media-job.ts'
import { signatureHeader, signMessage } from '../../worker/contract/job/signed-message.ts'

const patienceMs = 90_000
const heartbeatMs = 5_000

const working = { type: 'progress', phase: 'fetching', progressPercent: 1 }
const ended = {
  ...{ type: 'failed', reason: 'internal', message: 'The benchmark ends it.', retryable: false },
  trace: { phases: [], commands: [] },
}
const healthy = { status: 'ok', version: 1, slots: 1, fetching: 0, stopping: false }

/** A media worker with one slot, which does no work: a job holds the slot until it is told to end. */
export class OneSlot {
  /** How many jobs it was offered while the slot was taken. */
  refused = 0
  /** The present address of the service, whose port changes with a restart. */
  baseUrl = ''
  #server: LocalServer | undefined
  #job: MediaJob | undefined
  #sequence = 0
  readonly #came = new EventTarget()
  readonly #heartbeat = setInterval(() => {
    if (this.#job) void this.#report(this.#job, working).catch(() => undefined)
  }, heartbeatMs)

  async open(): Promise<string> {
    this.#server = await listen((request, response) => {
      void text(request).then((body) => {
        const { status, answer } = this.#answer(request.url ?? '', body)
        response.writeHead(status, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(answer))
      })
    })
    return this.#server.origin
  }

  /** Resolves as soon as a job has the slot. */
  async taken(): Promise<void> {
    if (this.#job) return
    await once(this.#came, 'job', { signal: AbortSignal.timeout(patienceMs) })
  }

  /** Frees the slot and tells the service so. Returns how long it takes until the next job is offered. */
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

  /** Forgets its job, as if the process had been killed and started again. */
  forget(): void {
    this.#job = undefined
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.#server?.close()
  }

  #answer(path: string, body: string): { status: number; answer: object } {
    if (path === '/health') {
      const disk = { freeBytes: 1e11, reserveBytes: 1e9 }
      return { status: 200, answer: { ...healthy, running: this.#job ? 1 : 0, disk } }
    }
    if (path !== '/jobs') return { status: 200, answer: { canceled: false } }
    if (this.#job) {
      this.refused++
      return { status: 503, answer: {} }
    }
    this.#job = mediaJob.parse(JSON.parse(body))
    this.#sequence = 0
    this.#came.dispatchEvent(new Event('job'))
    return { status: 202, answer: {} }
  }

  async #report({ fence, reports }: MediaJob, report: object): Promise<void> {
    const body = JSON.stringify({ fence, sequence: ++this.#sequence, ...report })
    const headers = { [signatureHeader]: await signMessage(reports.key, body, Date.now()) }
    const address = this.baseUrl + new URL(reports.url).pathname
    const response = await fetch(address, { method: 'POST', body, headers })
    if (!response.ok) throw new Error(`A report was answered ${response.status}`)
    await response.body?.cancel()
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { PartJob, PartReport } from '../../../worker/contract/job/part-job.ts'
import type { Log } from '../../errors/log.ts'
import { sendSigned } from '../report/signed-post.ts'

type WithoutPartHeading<R> = R extends PartReport ? Omit<R, 'fence' | 'n' | 'try'> : never
type SaidOfPart = WithoutPartHeading<PartReport>
export type PartEnding = Exclude<SaidOfPart, { type: 'progress' }>
type EncodedSoFar = { pictures: number; bytes: number }

type PartReporterOptions = {
  readonly job: Pick<PartJob, 'fence' | 'n' | 'try' | 'reports'>
  readonly log: Log
  /** Called when this part is not wanted any more. */
  onStop(): void
  readonly retryMs?: number
}

/** Longer than a lease: after that, another media worker has the part. */
const finalPatienceMs = 90_000

/** Reports the progress of a part at each heartbeat, and how it ended. */
export class PartReporter {
  readonly #options: PartReporterOptions
  readonly #closing = new AbortController()
  readonly #beating: NodeJS.Timeout
  #encoded: EncodedSoFar = { pictures: 0, bytes: 0 }
  #isSending = false

  constructor(options: PartReporterOptions) {
    this.#options = options
    const beatMs = options.job.reports.heartbeatSeconds * 1_000
    this.#beating = setInterval(() => void this.#beat(), beatMs)
  }

  progress({ pictures, bytes }: EncodedSoFar): void {
    this.#encoded = { pictures, bytes }
  }

  /** Repeats how the part ended until it is answered, for as long as the part may be wanted. */
  async finish(ending: PartEnding, patienceMs = finalPatienceMs): Promise<void> {
    this.close()
    const deadline = AbortSignal.timeout(patienceMs)
    while (!deadline.aborted && (await this.#say(ending, deadline)) === 'again') {
      const { retryMs = 1_000 } = this.#options
      await pause(retryMs, undefined, { signal: deadline }).catch(() => undefined)
    }
  }

  close(): void {
    clearInterval(this.#beating)
    this.#closing.abort()
  }

  async #beat(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    const { signal } = this.#closing
    const answer = await this.#say({ type: 'progress', ...this.#encoded }, signal)
    this.#isSending = false
    if (answer === 'stop' && !signal.aborted) {
      this.close()
      this.#options.onStop()
    }
  }

  async #say(said: SaidOfPart, signal: AbortSignal) {
    const { job, log } = this.#options
    const { fence, n, try: number, reports } = job
    const { url, key } = reports
    const body = { ...said, fence, n, try: number } satisfies PartReport
    return sendSigned({ url, key, body, signal, log, about: { part: n, type: said.type } })
  }
}

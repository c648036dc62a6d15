import { setTimeout as pause } from 'node:timers/promises'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { InsightProgress, Report } from '../../../worker/contract/job/report.ts'
import type { Phase } from '../../../worker/contract/video/video-state.ts'
import type { Log } from '../../errors/log.ts'
import { sendSigned } from './signed-post.ts'
import type { Ahead } from './steps.ts'
import type { TimeLeft } from './time-left.ts'

type WithoutHeading<R> = R extends Report ? Omit<R, 'fence' | 'sequence'> : never
export type FinalReport = Exclude<WithoutHeading<Report>, { type: 'progress' | 'fetched' }>
type FetchedReport = Extract<WithoutHeading<Report>, { type: 'fetched' }>
type Progress = Omit<Extract<WithoutHeading<Report>, { type: 'progress' }>, 'type'>

export type InsightName = 'transcript' | 'analysis'

export type ReporterOptions = {
  readonly job: Pick<MediaJob, 'fence' | 'reports'>
  readonly log: Log
  /** Called when the Worker wants this attempt to end. */
  onStop(): void
  readonly left: TimeLeft
  /** Called on every step, even if no report is sent for it. */
  onProgress?(phase: Phase, percent: number): void
  /** The shortest time between two progress reports. */
  readonly throttleMs?: number
  readonly retryMs?: number
}

const finalPatienceMs = 600_000
const longestRetryMs = 30_000
/** How soon the first report is sent, and one that tells which work is ahead. */
const urgentMs = 100
/** Without news, the bar and the time that is left are reported again this often. */
const tellAgainMs = 5_000

/** Sends one report at a time: a newer report replaces one that waits, and a heartbeat fills long silences. */
export class Reporter {
  readonly #options: ReporterOptions
  readonly #throttleMs: number
  readonly #retryMs: number
  readonly #closing = new AbortController()
  #sequence = 0
  #latest: Omit<Progress, 'progressPercent' | 'left'> = { phase: 'fetching' }
  #hasNews = false
  /** Whether the news changes how long the job takes; the first report does. */
  #isUrgent = true
  #isSending = false
  #isTelling = false
  #lastFailed = false
  /** The answer that accepted the job counts as the first report, so a short job sends only its last one. */
  #lastSentAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ReporterOptions) {
    this.#options = options
    this.#throttleMs = options.throttleMs ?? 900
    this.#retryMs = options.retryMs ?? 1_000
  }

  /** Reports which share of a phase is done, 0 … 1. It is sent every second, even if a percent takes an hour. */
  progress(phase: Phase, share: number, again = 0): void {
    const { left } = this.#options
    left.hear(phase, share, again)
    this.#options.onProgress?.(phase, left.percent)
    this.#latest = { ...this.#latest, phase }
    this.#hasNews = true
    this.#schedule()
  }

  /** Notes what is known about the work ahead. */
  expect(ahead: Ahead): void {
    this.#options.left.expect(ahead)
    this.#hasNews = true
    this.#isUrgent = true
    this.#schedule()
  }

  /**
   * Reports that another job may use this one's slot, because this one waits for its sources; or that this one has a slot
   * again.
   */
  slotFree(isFree: boolean): void {
    this.#latest = { ...this.#latest, slotFree: isFree ? true : undefined }
    this.#hasNews = true
    this.#schedule()
  }

  /** Reports the progress of the transcript or the analysis. `share`: how much of its own work this attempt has done, 0 … 1. */
  insight(name: InsightName, state: InsightProgress, share = shareOf(state)): void {
    this.#latest = { ...this.#latest, [name]: state }
    this.#options.left.hearBeside(name === 'transcript' ? 'hearing' : 'analysing', share)
    this.#hasNews = true
    this.#schedule()
  }

  /**
   * Reports which files were fetched, and stops the job if its video has ended with an earlier result for the same ones. No
   * other report begins meanwhile: if it came first, this one would be outdated. It is tried twice at most.
   */
  async fetched(what: Omit<FetchedReport, 'type'>): Promise<void> {
    const { signal } = this.#closing
    this.#isTelling = true
    clearTimeout(this.#timer)
    const report = { type: 'fetched', ...what } as const
    let answer = await this.#say(report, signal)
    if (answer === 'again') {
      await pause(this.#retryMs, undefined, { signal }).catch(() => undefined)
      answer = await this.#say(report, signal)
    }
    this.#isTelling = false
    if (signal.aborted) return
    if (answer === 'stop') {
      this.close()
      this.#options.onStop()
    } else this.#schedule()
  }

  /** Sends the last report until it is answered, at most for `patienceMs`. */
  async finish(report: FinalReport, patienceMs = finalPatienceMs): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.close()
    const deadline = AbortSignal.timeout(patienceMs)
    let waitMs = this.#retryMs
    while (!deadline.aborted) {
      if ((await this.#say(report, deadline)) !== 'again') return
      await pause(waitMs, undefined, { signal: deadline }).catch(() => undefined)
      waitMs = Math.min(waitMs * 2, longestRetryMs)
    }
    this.#options.log('error', 'The last report was never answered', { type: report.type })
  }

  /** Stops reporting. */
  close(): void {
    clearTimeout(this.#timer)
    this.#closing.abort()
  }

  #schedule(): void {
    if (this.#isSending || this.#isTelling || this.#closing.signal.aborted) return
    const silenceMs = this.#options.job.reports.heartbeatSeconds * 1_000
    const throttleMs = this.#isUrgent ? Math.min(urgentMs, this.#throttleMs) : this.#throttleMs
    const newsMs = this.#lastFailed ? this.#retryMs : throttleMs
    const pauseMs = Math.min(silenceMs, this.#hasNews ? newsMs : tellAgainMs)
    const waitMs = Math.max(0, this.#lastSentAt + pauseMs - performance.now())
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#sendLatest(), waitMs)
  }

  async #sendLatest(): Promise<void> {
    const { signal } = this.#closing
    this.#isSending = true
    this.#hasNews = false
    this.#isUrgent = false
    this.#lastSentAt = performance.now()
    const { percent: progressPercent, left } = this.#options.left
    const said = { type: 'progress', ...this.#latest, progressPercent, left } as const
    const answer = await this.#say(said, signal)
    this.#isSending = false
    if (signal.aborted) return
    if (answer === 'stop') {
      this.close()
      this.#options.onStop()
      return
    }
    this.#lastFailed = answer === 'again'
    this.#hasNews ||= this.#lastFailed
    this.#schedule()
  }

  async #say(said: WithoutHeading<Report>, signal: AbortSignal) {
    const { job, log } = this.#options
    const { url, key } = job.reports
    const heading = { fence: job.fence, sequence: ++this.#sequence }
    const body = { ...said, ...heading } satisfies Report
    return sendSigned({ url, key, body, signal, log, about: { type: said.type } })
  }
}

/** A dropped transcript or analysis counts as done. */
function shareOf(state: InsightProgress): number {
  return state.status === 'processing' ? state.progress / 100 : 1
}

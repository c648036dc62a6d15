import type { QueuePlace } from '../service/line/dispatching.ts'
import {
  forecastLine,
  leftByThePast,
  leftWithin,
  type Forecast,
} from '../service/line/forecast-line.ts'
import type { Line } from '../service/line/line.ts'

/** The last jobs, up to this number, tell how long the next ones take. */
export const pastJobs = 20
/** The whole order is worked out at most this often. */
const freshMs = 1_000
/** A running job tells when it ends; it is asked again after this time. */
const askAgainMs = 5_000
/** If more jobs run than this, the past tells when the others end. */
const mostAsked = 64

/** Asks a running job how much longer it works; undefined if it cannot tell. */
type AskForLeft = (jobId: string) => Promise<number | undefined>

/** Which place each job has in the line, and when it may start: when the running jobs end, and those before it. */
export class LineForecast {
  readonly #line: Line
  readonly #ask: AskForLeft
  readonly #workedMs: number[] = []
  readonly #told = new Map<string, { endsAt: number | undefined; at: number }>()
  #places = new Map<string, { position: number } & Forecast>()
  #at = -Infinity

  constructor(line: Line, ask: AskForLeft) {
    this.#line = line
    this.#ask = ask
  }

  /** A job has worked for this long. */
  note(workedMs: number): void {
    this.#workedMs.push(workedMs)
    if (this.#workedMs.length > pastJobs) this.#workedMs.shift()
  }

  async placeOf(jobId: string, now: number): Promise<QueuePlace | undefined> {
    if (!this.#line.has(jobId)) return undefined
    if (now >= this.#at + freshMs || !this.#places.has(jobId)) {
      this.#at = now
      await this.#hear(now)
      this.#refresh(now)
    }
    const place = this.#places.get(jobId)
    if (!place) return undefined
    const { position, startsAt } = place
    if (startsAt === Infinity) return { position, startsInMs: undefined, left: undefined }
    const startsInMs = Math.round(startsAt - now)
    return { position, startsInMs, left: leftWithin(this.#workedMs, startsInMs) }
  }

  async #hear(now: number): Promise<void> {
    const running = this.#line.withSlot().map(({ jobId }) => jobId)
    for (const jobId of this.#told.keys()) {
      if (!running.includes(jobId)) this.#told.delete(jobId)
    }
    const isDue = (jobId: string) => now >= (this.#told.get(jobId)?.at ?? -Infinity) + askAgainMs
    const asked = running.filter(isDue).slice(0, mostAsked)
    await Promise.all(
      asked.map(async (jobId) => {
        const leftMs = await this.#ask(jobId)
        this.#told.set(jobId, { at: now, endsAt: leftMs === undefined ? undefined : now + leftMs })
      }),
    )
  }

  #refresh(now: number): void {
    const working = this.#line.withSlot().map(({ jobId, accountId, startedAt }) => {
      const byThePast = now + (leftByThePast(this.#workedMs, now - startedAt) ?? Infinity)
      return { accountId, endsAt: this.#told.get(jobId)?.endsAt ?? byThePast }
    })
    const takesMs = leftByThePast(this.#workedMs, 0) ?? Infinity
    const order = this.#line.inOrder().map((job) => ({ ...job, takesMs }))
    const mostOf = (accountId: string) => this.#line.mostOf(accountId)
    const forecast = forecastLine(order, working, { mostOf, now })
    const unknown = { startsAt: Infinity, endsAt: Infinity }
    this.#places = new Map(
      order.map(({ jobId }, i) => [
        jobId,
        { position: i + 1, ...(forecast.get(jobId) ?? unknown) },
      ]),
    )
  }
}

import type { QueuePlace } from '../service/line/dispatching.ts'
import {
  forecastLine,
  leftByThePast,
  leftWithin,
  takesByThePast,
  type ForecastTimes,
  type Worked,
} from '../service/line/forecast-line.ts'
import type { Line } from '../service/line/line.ts'

/** The last jobs, up to this number, tell how long the next ones take. */
export const pastJobs = 20
/** The whole order is computed at most this often. */
const freshMs = 1_000
/** A running job tells when it ends; it is asked again after this time. */
const askAgainMs = 5_000
/** If more jobs run than this, past jobs tell when the others end. */
const mostAsked = 64

type QueuedJob = { readonly jobId: string; readonly accountId: string }

/** Asks a running job how much longer it works; undefined if it cannot tell. */
type AskForLeft = (jobId: string) => Promise<number | undefined>

/** Which place each job has in the line, and when it may start: when the running jobs end, and those before it. */
export class LineForecast {
  readonly #line: Line
  readonly #ask: AskForLeft
  readonly #worked: Worked[] = []
  readonly #told = new Map<string, { endsAt: number | undefined; at: number }>()
  #places = new Map<string, { position: number } & ForecastTimes>()
  #at = -Infinity
  /** While running jobs are asked, everybody waits for what they tell. */
  #refreshing: Promise<void> | undefined

  constructor(line: Line, ask: AskForLeft) {
    this.#line = line
    this.#ask = ask
  }

  /** A job has worked for this long; less than nothing if the clock was put back meanwhile, which tells nothing of the next. */
  note(worked: Worked): void {
    if (worked.ms < 0) return
    this.#worked.push(worked)
    if (this.#worked.length > pastJobs) this.#worked.shift()
  }

  /** The places of these jobs; the order is computed at most once for all of them. */
  async placesOf(jobIds: readonly string[], now: number): Promise<(QueuePlace | undefined)[]> {
    const inLine = jobIds.filter((jobId) => this.#line.has(jobId))
    const isFresh = now < this.#at + freshMs && inLine.every((jobId) => this.#places.has(jobId))
    if (inLine.length > 0 && (this.#refreshing || !isFresh)) {
      this.#refreshing ??= this.#refresh(now).finally(() => (this.#refreshing = undefined))
      await this.#refreshing
    }
    return jobIds.map((jobId) => (this.#line.has(jobId) ? this.#placeOf(jobId, now) : undefined))
  }

  /** When a job that joined the end of the line now would begin; undefined if nothing tells. */
  async startsNext(accountId: string, now: number): Promise<number | undefined> {
    await this.#hear(now)
    const next = { jobId: '', accountId }
    const startsAt = this.#layOut([...this.#line.inOrder(), next], now).get(next.jobId)?.startsAt
    return startsAt === undefined || startsAt === Infinity ? undefined : Math.max(0, startsAt - now)
  }

  #placeOf(jobId: string, now: number): QueuePlace | undefined {
    const place = this.#places.get(jobId)
    if (!place) return undefined
    const { position, startsAt, endsAt } = place
    if (startsAt === Infinity) return { position, startsInMs: undefined, left: undefined }
    const startsInMs = Math.round(startsAt - now)
    const takesMs = endsAt - startsAt
    if (takesMs === Infinity) return { position, startsInMs, left: undefined }
    return { position, startsInMs, left: leftWithin(this.#workedMs, { startsInMs, takesMs }) }
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

  get #workedMs(): number[] {
    return this.#worked.map(({ ms }) => ms)
  }

  async #refresh(now: number): Promise<void> {
    await this.#hear(now)
    this.#at = now
    const order = this.#line.inOrder()
    const forecast = this.#layOut(order, now)
    const unknown = { startsAt: Infinity, endsAt: Infinity }
    this.#places = new Map(
      order.map(({ jobId }, i) => [
        jobId,
        { position: i + 1, ...(forecast.get(jobId) ?? unknown) },
      ]),
    )
  }

  /** When each of these jobs begins and ends, if they run in this order. */
  #layOut(order: readonly QueuedJob[], now: number): Map<string, ForecastTimes> {
    const pastMs = this.#workedMs
    const working = this.#line.withSlot().map(({ jobId, accountId, startedAt }) => {
      const told = this.#told.get(jobId)?.endsAt
      const byThePast = now + (leftByThePast(pastMs, now - startedAt) ?? Infinity)
      return { accountId, startedAt, told, endsAt: told ?? byThePast }
    })
    // How long a running job will have worked says most about the jobs of its account that came with it.
    const running = working.flatMap(({ accountId, startedAt, told }) =>
      told === undefined ? [] : [{ accountId, ms: Math.max(now, told, startedAt) - startedAt }],
    )
    const past = [...this.#worked, ...running]
    const takes = new Map<string, number>()
    const takesOf = (accountId: string): number => {
      const known = takes.get(accountId) ?? takesByThePast(past, accountId) ?? Infinity
      takes.set(accountId, known)
      return known
    }
    const queued = order.map((job) => ({ ...job, takesMs: takesOf(job.accountId) }))
    const mostOf = (accountId: string) => this.#line.mostOf(accountId)
    return forecastLine(queued, working, { mostOf, now })
  }
}

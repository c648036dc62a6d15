import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  endFields,
  endLine,
  jobFields,
  plainName,
  runningLine,
  type JobEnd,
  type ShownJob,
} from './job-lines.ts'
import type { Teller } from './news.ts'
import { callAdmin, type AdminTarget } from '../../admin/call-admin.ts'

/** The messages of a media worker about its jobs; the board ignores all others. */
const jobEvent = z.discriminatedUnion('message', [
  z.object({ message: z.literal('Job accepted'), jobId: z.string() }),
  z.object({
    message: z.literal('Job progress'),
    jobId: z.string(),
    phase: z.string(),
    percent: z.number(),
  }),
  z.object({ message: z.literal('Job ended'), jobId: z.string() }),
])
type JobEvent = z.infer<typeof jobEvent>

/** Looks up a job in the service, for the person who runs it. */
export type LookUp = (jobId: string) => Promise<JobEnd & { name: string }>

/** How often, and at what intervals, the record of a job that has just ended is read. */
const mostLooks = 10
const lookAgainMs = 200
/** How often a long job gets a line where no line changes in place. */
const heardEveryMs = 60_000

type BoardJob = ShownJob & { heardAtMs: number }

/** Follows the jobs of all media workers, for what `npm start` tells. */
export class JobBoard {
  readonly #teller: Teller
  readonly #now: () => number
  readonly #jobs = new Map<string, BoardJob>()
  #lookUp: LookUp | undefined

  constructor(teller: Teller, now: () => number = () => performance.now()) {
    this.#teller = teller
    this.#now = now
  }

  /** Names cannot be looked up before the API answers. */
  askFor(lookUp: LookUp): void {
    this.#lookUp = lookUp
  }

  /** Returns true for a line that only updates the board and need not be kept. */
  hear(fields: Readonly<Record<string, unknown>>): boolean {
    const parsed = jobEvent.safeParse(fields)
    if (!parsed.success) return false
    this.#note(parsed.data)
    return parsed.data.message === 'Job progress'
  }

  /** Called once a second: the time moves even if the percentage does not. */
  tick(): void {
    if (this.#jobs.size === 0) return
    this.#draw()
    if (this.#teller.isLive) return
    const now = this.#now()
    for (const job of this.#jobs.values()) {
      if (now - job.heardAtMs < heardEveryMs) continue
      job.heardAtMs = now
      const text = runningLine(job, now)
      this.#teller.tell({ event: 'job.running', text, fields: jobFields(job, now) })
    }
  }

  /** The media worker is gone; the next attempt is reported again. */
  forgetAll(): void {
    this.#jobs.clear()
    this.#draw()
  }

  #note(event: JobEvent): void {
    const { jobId } = event
    const known = this.#jobs.get(jobId)
    if (event.message === 'Job ended') {
      if (known) void this.#end(known)
      return
    }
    const now = this.#now()
    const fresh = { jobId, name: jobId, phase: 'fetching', percent: 0 }
    const job = known ?? { ...fresh, sinceMs: now, heardAtMs: now }
    if (event.message === 'Job progress') {
      job.phase = event.phase
      job.percent = Math.floor(event.percent)
    } else void this.#name(job)
    this.#jobs.set(jobId, job)
    this.#draw()
  }

  async #name(job: BoardJob): Promise<void> {
    const found = await this.#look(job.jobId)
    if (found) job.name = plainName(found.name)
    const { jobId, name } = job
    this.#teller.tell({ event: 'job.started', fields: { jobId, name, videoId: found?.videoId } })
    this.#draw()
  }

  async #end(job: BoardJob): Promise<void> {
    const nowMs = this.#now()
    const found = await this.#lookAtEnd(job.jobId)
    this.#jobs.delete(job.jobId)
    if (found) {
      const named = { ...job, name: plainName(found.name) }
      const level = found.status === 'failed' ? 'warn' : 'info'
      const fields = endFields(named, found, nowMs)
      this.#teller.tell({ event: 'job.ended', level, text: endLine(named, found, nowMs), fields })
    }
    this.#draw()
  }

  /** A media worker logs the end of a job before it reports it, so the record may need another moment. */
  async #lookAtEnd(jobId: string): Promise<Awaited<ReturnType<LookUp>> | undefined> {
    for (let look = 1; ; look++) {
      const found = await this.#look(jobId)
      if (found?.status !== 'running' || look === mostLooks) return found
      await delay(lookAgainMs)
    }
  }

  /** Undefined if the API does not answer: the job continues, and its record has the rest. */
  async #look(jobId: string): Promise<Awaited<ReturnType<LookUp>> | undefined> {
    return this.#lookUp?.(jobId).catch(() => undefined)
  }

  #draw(): void {
    this.#teller.show([...this.#jobs.values()].map((job) => runningLine(job, this.#now())))
  }
}

/** Asks the service for the name and the result of a job. */
export function lookUpJob(target: AdminTarget): LookUp {
  return async (jobId) => {
    const { videoId, status, error } = await callAdmin(target, { command: 'jobs.show', jobId })
    const { jobs } = await callAdmin(target, { command: 'jobs.list', videoId })
    return { videoId, status, error, name: jobs[0]?.videoName ?? videoId }
  }
}

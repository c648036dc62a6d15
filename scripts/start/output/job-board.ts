import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
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

/** What is shown about a job that a media worker has. */
type ShownJob = {
  jobId: string
  name: string
  phase: string
  percent: number
  sinceMs: number
}

/** How a job ended, or that it waits for its next attempt. */
type JobEnd = {
  status: string
  videoId: string
  error: { reason: string; message: string } | null
}

const nameWidth = 28

/** The line of a running job: on a terminal it changes in place. */
function runningLine(job: ShownJob, nowMs: number): string {
  const percent = `${job.percent} %`.padStart(5)
  return `  ${shorten(job.name)}  ${job.phase.padEnd(10)} ${percent}  ${duration(nowMs - job.sinceMs)}`
}

/** The line of a finished job, which stays. */
function endLine(job: ShownJob, end: JobEnd, nowMs: number): string {
  const name = shorten(job.name)
  const time = duration(nowMs - job.sinceMs)
  const reached = `${job.phase}, ${job.percent} %`
  switch (end.status) {
    case 'succeeded':
      return `✓ ${name}  succeeded in ${time}  ${end.videoId}`
    case 'failed':
      return `✗ ${name}  failed after ${time} (${reached})  ${end.videoId}  ${end.error?.reason ?? ''}: ${end.error?.message ?? ''}`
    case 'canceled':
      return `– ${name}  canceled after ${time} (${reached})  ${end.videoId}`
    default:
      return `↻ ${name}  waits for another attempt after ${time} (${reached})  ${end.videoId}`
  }
}

/** What the lines say, for machines. */
function jobFields({ jobId, name, phase, percent, sinceMs }: ShownJob, nowMs: number) {
  return { jobId, name, phase, percent, seconds: Math.round((nowMs - sinceMs) / 100) / 10 }
}

function endFields(job: ShownJob, { status, videoId, error }: JobEnd, nowMs: number) {
  const isFinal = ['succeeded', 'failed', 'canceled'].includes(status)
  const reached = status === 'succeeded' ? { phase: 'done', percent: 100 } : {}
  return {
    ...jobFields(job, nowMs),
    ...reached,
    videoId,
    result: isFinal ? status : 'waiting',
    ...(status === 'failed' && error ? { reason: error.reason, message: error.message } : {}),
  }
}

/** A name may contain anything; on a terminal it must be plain text. */
function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
}

function shorten(name: string): string {
  const signs = [...name]
  const cut = signs.length > nameWidth ? `${signs.slice(0, nameWidth - 1).join('')}…` : name
  return cut.padEnd(nameWidth)
}

function duration(ms: number): string {
  const whole = ms / 1000
  if (whole < 60) return `${whole.toFixed(1)} s`
  return `${Math.floor(whole / 60)} min ${String(Math.floor(whole % 60)).padStart(2, '0')} s`
}

import { z } from 'zod'
import { endLine, plainName, runningLine, type JobEnd, type ShownJob } from './job-lines.ts'
import type { Screen } from './screen.ts'

/** What a media worker writes of a job. Everything else it writes is none of the board's business. */
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

/** What the service knows of a job, for the person who runs it. */
export type LookUp = (jobId: string) => Promise<JobEnd & { name: string }>

/** Follows the jobs of all media workers, for the terminal of `npm start`. */
export class JobBoard {
  readonly #screen: Screen
  readonly #now: () => number
  readonly #jobs = new Map<string, ShownJob>()
  #lookUp: LookUp | undefined

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#now = now
  }

  /** Before the API answers there is nobody to ask for names. */
  askFor(lookUp: LookUp): void {
    this.#lookUp = lookUp
  }

  /** True for a line that only moves the board and need not be kept. */
  hear(fields: Readonly<Record<string, unknown>>): boolean {
    const parsed = jobEvent.safeParse(fields)
    if (!parsed.success) return false
    this.#note(parsed.data)
    return parsed.data.message === 'Job progress'
  }

  /** Once a second, so that the time moves also where the percent does not. */
  tick(): void {
    if (this.#jobs.size > 0) this.#draw()
  }

  /** Its media worker is gone; the next attempt is told of again. */
  forgetAll(): void {
    this.#jobs.clear()
    this.#draw()
  }

  #note(event: JobEvent): void {
    const known = this.#jobs.get(event.jobId)
    if (event.message === 'Job ended') {
      if (known) void this.#end(event.jobId, known)
      return
    }
    const job = known ?? { name: event.jobId, phase: 'fetching', percent: 0, sinceMs: this.#now() }
    if (event.message === 'Job progress') {
      // In a pipe each phase has a line; a percent has none.
      if (job.phase !== event.phase) this.#screen.sayPlain(`  ${job.name}  ${event.phase}`)
      job.phase = event.phase
      job.percent = Math.floor(event.percent)
    } else void this.#name(event.jobId, job)
    this.#jobs.set(event.jobId, job)
    this.#draw()
  }

  async #name(jobId: string, job: ShownJob): Promise<void> {
    const found = await this.#look(jobId)
    if (found) job.name = plainName(found.name)
    this.#screen.sayPlain(`  ${job.name}  started`)
    this.#draw()
  }

  async #end(jobId: string, job: ShownJob): Promise<void> {
    const found = await this.#look(jobId)
    this.#jobs.delete(jobId)
    if (found) {
      const name = plainName(found.name)
      this.#screen.say(endLine({ ...job, name }, found, this.#now()))
    }
    this.#draw()
  }

  /** Undefined when the API does not answer: the job goes on, and its record tells the rest. */
  async #look(jobId: string): Promise<Awaited<ReturnType<LookUp>> | undefined> {
    return this.#lookUp?.(jobId).catch(() => undefined)
  }

  #draw(): void {
    this.#screen.show([...this.#jobs.values()].map((job) => runningLine(job, this.#now())))
  }
}

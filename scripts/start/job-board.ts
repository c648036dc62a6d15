import { z } from 'zod'
import { endLine, plainName, runningLine, type JobEnd, type ShownJob } from './job-lines.ts'
import type { Screen } from './screen.ts'

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

  /** Called once a second, so that the time moves even if the percentage does not. */
  tick(): void {
    if (this.#jobs.size > 0) this.#draw()
  }

  /** The media worker is gone; the next attempt is reported again. */
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
      // In a pipe each phase gets a line, but not each percentage.
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

  /** Undefined if the API does not answer: the job continues, and its record has the rest. */
  async #look(jobId: string): Promise<Awaited<ReturnType<LookUp>> | undefined> {
    return this.#lookUp?.(jobId).catch(() => undefined)
  }

  #draw(): void {
    this.#screen.show([...this.#jobs.values()].map((job) => runningLine(job, this.#now())))
  }
}

import { JobError } from '../errors/job-error.ts'
import type { WorkStep } from './messages.ts'

export type WorkLimits = {
  /** How much resident memory the process may use. */
  readonly memoryBytes: number
  /** How long the process may take to load, before its first sign of life. */
  readonly loadMs: number
  /** How long the process may be busy with one piece of its work, without a sign of life. */
  readonly silentMs: number
  /** How long the process may take to end its work after it was told to. */
  readonly stopMs: number
  readonly pollMs: number
}

/** Why a process is killed. */
export type End = { readonly error: Error | undefined }

type Watched = {
  /** Whether the process has ever given a sign of life. */
  readonly hasLoaded: boolean
  residentBytes(): Promise<number>
  onEnd(end: End): void
}

type Open = { readonly step: WorkStep; readonly timer: NodeJS.Timeout | undefined }

/** Watches one task of a process: its signs of life, its memory, and the time that its steps take. */
export class StepWatch {
  readonly #limits: WorkLimits
  readonly #watched: Watched
  readonly #steps = new Map<number, Open>()
  readonly #poll: NodeJS.Timeout
  #silent: NodeJS.Timeout | undefined
  #stopping: NodeJS.Timeout | undefined

  constructor(limits: WorkLimits, watched: Watched) {
    this.#limits = limits
    this.#watched = watched
    this.#poll = setInterval(() => void this.#weigh(), limits.pollMs)
    if (watched.hasLoaded) this.heard()
    else this.#silent = setTimeout(() => this.#end(neverLoaded()), limits.loadMs)
  }

  heard(): void {
    clearTimeout(this.#silent)
    const { silentMs } = this.#limits
    this.#silent = setTimeout(() => this.#end(tookTooLong(this.#current(), silentMs)), silentMs)
  }

  step(id: number, step: WorkStep | 'over'): void {
    if (step === 'over') {
      clearTimeout(this.#steps.get(id)?.timer)
      this.#steps.delete(id)
      return
    }
    const { mostMs } = step
    const timer =
      mostMs === undefined
        ? undefined
        : setTimeout(() => this.#end(tookTooLong(step, mostMs)), mostMs)
    this.#steps.set(id, { step, timer })
  }

  /** Kills the process unless it ends its work by itself in time. */
  stopSoon(): void {
    const { stopMs } = this.#limits
    this.#stopping ??= setTimeout(() => this.#watched.onEnd({ error: undefined }), stopMs)
  }

  /** Explains the end of a process that we did not kill. */
  errorOfCrash(how: string, stderr: string, cause: Error): JobError {
    if (stderr.includes('heap out of memory')) return this.#outOfMemory(cause)
    if (how !== 'SIGKILL') {
      const message = 'Something went wrong while the video was processed.'
      return new JobError('internal', message, { retryable: true, cause })
    }
    // The kernel ends processes this way if memory is short.
    const message = 'The media worker ran out of resources.'
    return new JobError('out_of_resources', message, { retryable: true, cause })
  }

  close(): void {
    clearInterval(this.#poll)
    clearTimeout(this.#silent)
    clearTimeout(this.#stopping)
    for (const { timer } of this.#steps.values()) clearTimeout(timer)
  }

  async #weigh(): Promise<void> {
    const bytes = await this.#watched.residentBytes()
    if (bytes > this.#limits.memoryBytes) this.#end(this.#outOfMemory())
  }

  #current(): WorkStep | undefined {
    return [...this.#steps.values()].at(-1)?.step
  }

  #outOfMemory(cause?: Error): JobError {
    const amount = `more than ${this.#limits.memoryBytes.toLocaleString('en')} bytes of memory.`
    const step = this.#current()
    const message = step ? `${told(step)} needs ${amount}` : `Processing needs ${amount}`
    return new JobError('out_of_resources', message, { cause })
  }

  #end(error: JobError): void {
    this.#watched.onEnd({ error })
  }
}

/** Says something about the machine and nothing about the task, which another attempt may bring to its end. */
function neverLoaded(): JobError {
  const message = 'The media worker is too busy to begin the processing.'
  return new JobError('out_of_resources', message, { retryable: true })
}

/** Not retryable: another attempt would take as long. */
function tookTooLong(step: WorkStep | undefined, ms: number): JobError {
  const what = step ? told(step) : 'One step of the processing'
  const message = `${what} took too long, and was ended after ${Math.round(ms / 1_000)} seconds.`
  return new JobError('out_of_time', message)
}

function told({ field, doing }: WorkStep): string {
  return field === undefined ? `${doing[0]?.toUpperCase()}${doing.slice(1)}` : `${field}: ${doing}`
}

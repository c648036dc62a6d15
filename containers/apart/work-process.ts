import { fork, type ChildProcess } from 'node:child_process'
import { JobStop, toJobError, JobError } from '../errors/job-error.ts'
import { killProcessesIn, residentBytesOfProcess } from '../ffmpeg/process/process-group.ts'
import { textTail } from '../ffmpeg/process/text-tail.ts'
import { errorOf, type FromProcess, type ToProcess, type WorkStep } from './messages.ts'
import { ModelDesk, type LinkedModels } from './model-relay.ts'

export type ProcessOptions<Setup> = {
  readonly entry: URL
  readonly setup: Setup
  readonly limits: WorkLimits
  readonly models: LinkedModels
  /** Settings, including secrets, go to the process with its setup and not in its environment. */
  readonly env: NodeJS.ProcessEnv
}

export type WorkRequest<Task, Told> = {
  readonly task: Task
  readonly folder: string
  readonly signal: AbortSignal
  readonly onTold: (told: Told) => void
}

type WorkingStep<Told, Result> = {
  readonly done: PromiseWithResolvers<Result>
  readonly watch: StepWatch
  readonly onTold: (told: Told) => void
}

const stderrTailChars = 4_000

/** One process that does one task at a time, and can be ended at any moment. */
export class WorkProcess<Setup, Task, Told, Result> {
  readonly #options: ProcessOptions<Setup>
  readonly #child: ChildProcess
  readonly #desk: ModelDesk
  readonly #stderr = textTail(stderrTailChars)
  #working: WorkingStep<Told, Result> | undefined
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>
  #isAlive = true
  #hasLoaded = false
  #killedFor: End | undefined

  constructor(options: ProcessOptions<Setup>) {
    this.#options = options
    const heapBytes = options.limits.memoryBytes * heapShare
    this.#child = fork(options.entry, {
      cwd: '/',
      env: options.env,
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.floor(heapBytes / mebibyte)}`],
      // Moves numbers as bytes, and knows sets, maps and dates.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#stderr.add(text))
    this.#desk = new ModelDesk(options.models, (message) => this.#send(message))
    this.#child.on('message', (message: FromProcess<Told, Result>) => this.#hear(message))
    this.ended = this.#untilEnded()
    this.#send({ type: 'set-up', setup: options.setup })
    this.#unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  async residentBytes(): Promise<number> {
    return this.#child.pid === undefined ? 0 : residentBytesOfProcess(this.#child.pid)
  }

  /** Rejects with the reason of the signal, with a `JobError`, or with what the work threw. */
  async work({ task, folder, signal, onTold }: WorkRequest<Task, Told>): Promise<Result> {
    signal.throwIfAborted()
    if (!this.#isAlive) throw toJobError(new Error('The process of a job had ended before it'))
    const { limits } = this.#options
    const done = Promise.withResolvers<Result>()
    const watch = new StepWatch(limits, {
      hasLoaded: this.#hasLoaded,
      residentBytes: async () => this.residentBytes(),
      onEnd: (end) => this.#kill(end),
    })
    this.#working = { done, watch, onTold }
    const stop = (): void => {
      const reason: unknown = signal.reason
      if (reason instanceof JobStop) this.#send({ type: 'stop', reason: reason.stopReason })
      watch.stopSoon()
    }
    signal.addEventListener('abort', stop)
    this.#child.ref()
    this.#child.channel?.ref()
    try {
      this.#send({ type: 'work', task, folder })
      return await done.promise
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      watch.close()
      this.#working = undefined
      this.#desk.withdrawAll()
      if (!this.#isAlive) killProcessesIn(folder)
      this.#unref()
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #kill(end: End): void {
    this.#killedFor ??= end
    this.kill()
  }

  #send(message: ToProcess<Setup, Task>): void {
    // If the process has just ended, its end says so.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #hear(message: FromProcess<Told, Result>): void {
    this.#hasLoaded = true
    const working = this.#working
    if (!working) return
    working.watch.heard()
    switch (message.type) {
      case 'alive':
        return
      case 'told':
        return working.onTold(message.told)
      case 'step':
        return working.watch.step(message.id, message.step)
      case 'done':
        return working.done.resolve(message.result)
      case 'failed':
        return working.done.reject(errorOf(message.failure))
      case 'model-ask':
      case 'model-tell':
      case 'model-close':
        this.#desk.hear(message)
    }
  }

  async #untilEnded(): Promise<void> {
    const how = await new Promise<string>((resolve) => {
      this.#child.once('error', (error) => resolve(String(error)))
      this.#child.once('close', (code, signal) => resolve(String(signal ?? code)))
    })
    this.#isAlive = false
    const cause = new Error(`The process of a job ended with ${how}\n${this.#stderr.text()}`)
    this.#working?.done.reject(
      this.#killedFor?.error ?? this.#working.watch.errorOfCrash(how, this.#stderr.text(), cause),
    )
  }
}

const mebibyte = 1024 * 1024
/** The share of memory for the heap of JavaScript; the rest is for everything else. */
const heapShare = 0.75

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
type End = { readonly error: Error | undefined }

type WatchedWork = {
  /** Whether the process has ever given a sign of life. */
  readonly hasLoaded: boolean
  residentBytes(): Promise<number>
  onEnd(end: End): void
}

type OpenStep = { readonly step: WorkStep; readonly timer: NodeJS.Timeout | undefined }

/** Watches one task of a process: its signs of life, its memory, and the time that its steps take. */
class StepWatch {
  readonly #limits: WorkLimits
  readonly #watched: WatchedWork
  readonly #steps = new Map<number, OpenStep>()
  readonly #poll: NodeJS.Timeout
  #silent: NodeJS.Timeout | undefined
  #stopping: NodeJS.Timeout | undefined

  constructor(limits: WorkLimits, watched: WatchedWork) {
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

  /** Kills the process unless it ends its work in time by itself. */
  stopSoon(): void {
    const { stopMs } = this.#limits
    this.#stopping ??= setTimeout(() => this.#watched.onEnd({ error: undefined }), stopMs)
  }

  /** Explains the end of a process that was not killed on purpose. */
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

/** This concerns the machine and not the task, which another attempt may finish. */
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

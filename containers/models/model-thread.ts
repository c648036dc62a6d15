import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * The ONNX runtime sends usage data to its maker over the network, past Node's own network code, unless its environment
 * forbids it. The variable must be set before the runtime is loaded, and by the main thread: changes that other threads
 * make to their environment do not leave them.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1'

export class ThreadDied extends Error {
  override name = 'ThreadDied'
}

/** A question; the thread's answer carries the same number. */
export type Numbered = { readonly id: number }

/** Every answer tells the processor time that it took. */
export type Answered = Numbered & { readonly processorMs: number }

/** Progress before the answer: the share of a question that is done. */
export type ShareDone = Numbered & { readonly share: number }
export type OnShare = (share: number) => void

export type ModelQuestion<Answer> = {
  readonly id: number
  readonly answer: Promise<Answer>
  /** Sends a further message about the question. */
  readonly tell: (message: Numbered) => void
}

/** How a thread with models is reached, from its own process or from another. */
export type ModelLink<Answer extends Answered> = {
  /** `withdrawal` is the message that ends the question early, if there is one. */
  ask(
    question: (id: number) => Numbered,
    withdrawal?: (id: number) => Numbered,
    onShare?: OnShare,
  ): ModelQuestion<Answer>
  /** Ends the thread; open questions fail. */
  close(): Promise<void>
}

export type OpenModel = <Answer extends Answered>(
  name: string,
  entry: URL,
  options?: WorkerOptions,
) => ModelLink<Answer>

export const openModelThread: OpenModel = <Answer extends Answered>(
  name: string,
  entry: URL,
  options?: WorkerOptions,
) => new ModelThread<Answer>(name, entry, options)

/**
 * A thread that holds models, so that reports and health checks never wait for them. It starts with the first question
 * and keeps running, because loading takes longer than most answers. If it dies, its open questions fail; the next
 * question starts a new one. It keeps the process alive only while a question is open.
 */
class ModelThread<Answer extends Answered> implements ModelLink<Answer> {
  readonly #name: string
  readonly #entry: URL
  readonly #options: WorkerOptions
  readonly #waiting = new Map<
    number,
    PromiseWithResolvers<Answer> & { onShare: OnShare | undefined }
  >()
  #worker: Worker | undefined
  #lastId = 0

  constructor(name: string, entry: URL, options: WorkerOptions = {}) {
    this.#name = name
    this.#entry = entry
    this.#options = options
  }

  ask(
    question: (id: number) => Numbered,
    _withdrawal?: (id: number) => Numbered,
    onShare?: OnShare,
  ): ModelQuestion<Answer> {
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#start())
    const waiting = { ...Promise.withResolvers<Answer>(), onShare }
    this.#waiting.set(id, waiting)
    worker.ref()
    worker.postMessage(question(id))
    const answer = waiting.promise.finally(() => {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref()
    })
    return { id, answer, tell: (message) => worker.postMessage(message) }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { name: this.#name, ...this.#options })
    let fault: unknown
    worker.on('message', (said: Answer | ShareDone) => {
      const waiting = this.#waiting.get(said.id)
      if ('share' in said) waiting?.onShare?.(said.share)
      else waiting?.resolve(said)
    })
    worker.on('error', (error) => {
      fault = error
    })
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#worker = undefined
      const died = new ThreadDied(`The ${this.#name} thread ended with ${code}`, { cause: fault })
      for (const { reject } of this.#waiting.values()) reject(died)
    })
    return worker
  }
}

import '../../models/no-telemetry.ts'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Task, ThreadReply, ThreadWork } from './thread-messages.ts'

type Waiting = {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Memory beyond this is a fault; the model itself lies outside of it. */
const maxHeapMegabytes = 512

/**
 * The thread that reads pictures and text, so that reports and health never wait for it. It starts with the first
 * question, answers one after the other, and stays; one that died is replaced at the next question.
 */
export class AnalysisThread {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private asked = 0
  private readonly options: WorkerOptions

  constructor(options: Pick<WorkerOptions, 'execArgv'> = {}) {
    this.options = { ...options, resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } }
  }

  async ask<T extends Task>(
    task: T,
    question: ThreadWork[T]['question'],
    signal: AbortSignal,
  ): Promise<ThreadWork[T]['answer']> {
    signal.throwIfAborted()
    const worker = (this.worker ??= this.start())
    const id = ++this.asked
    const answer = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
    })
    const abort = (): void => this.settle(id, (waiting) => waiting.reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    worker.ref()
    worker.postMessage({ id, task, question })
    try {
      // The thread answers each task with what `ThreadWork` says.
      return (await answer) as ThreadWork[T]['answer']
    } finally {
      signal.removeEventListener('abort', abort)
      if (this.waiting.size === 0) worker.unref()
    }
  }

  /** Ends the thread; what waits for an answer fails. */
  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), this.options)
    worker.on('message', (reply: ThreadReply) => {
      this.settle(reply.id, ({ resolve, reject }) => {
        if ('fault' in reply) reject(new Error(`The analysis thread failed: ${reply.fault}`))
        else resolve(reply.answer)
      })
    })
    let fault: unknown
    worker.on('error', (error) => {
      fault = error
    })
    worker.on('exit', (code) => {
      if (this.worker === worker) this.worker = undefined
      const error = new Error(`The analysis thread ended with ${code}`, { cause: fault })
      for (const id of [...this.waiting.keys()]) this.settle(id, ({ reject }) => reject(error))
    })
    return worker
  }

  private settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (waiting) how(waiting)
  }
}

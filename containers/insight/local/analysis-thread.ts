import type { WorkerOptions } from 'node:worker_threads'
import { untilAborted } from '../../errors/until-aborted.ts'
import { openModelThread, type ModelLink, type OpenModel } from '../../models/model-thread.ts'
import type { Task, ThreadReply, ThreadWork } from './thread-messages.ts'

/** Using more memory than this is a fault; the model itself lies outside the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/**
 * The thread that examines pictures and text, so that reports and health checks never wait for it. It starts with the
 * first question, answers one after the other, and keeps running; if it dies, the next question starts a new one.
 */
export class AnalysisThread {
  readonly #thread: ModelLink<ThreadReply>

  constructor(options: Pick<WorkerOptions, 'execArgv'> = {}, open: OpenModel = openModelThread) {
    const entry = new URL('./thread-entry.ts', import.meta.url)
    this.#thread = open('analysis', entry, { ...options, resourceLimits })
  }

  async ask<T extends Task>(
    task: T,
    question: ThreadWork[T]['question'],
    signal: AbortSignal,
  ): Promise<ThreadWork[T]['answer']> {
    signal.throwIfAborted()
    const asked = this.#thread.ask((id) => ({ id, task, question }))
    const reply = await untilAborted(asked.answer, signal)
    if ('fault' in reply) throw new Error(`The analysis thread failed: ${reply.fault}`)
    return reply.answer
  }

  /** Ends the thread; open questions fail. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}

import type { WorkerOptions } from 'node:worker_threads'
import { untilAborted } from '../../errors/until-aborted.ts'
import { ModelThread } from '../../models/model-thread.ts'
import type { Task, ThreadReply, ThreadWork } from './thread-messages.ts'

/** Memory beyond this is a fault; the model itself lies outside of it. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** The thread that reads pictures and text. It answers one question after the other. */
export class AnalysisThread {
  readonly #thread: ModelThread<ThreadReply>

  constructor(options: Pick<WorkerOptions, 'execArgv'> = {}) {
    const entry = new URL('./thread-entry.ts', import.meta.url)
    this.#thread = new ModelThread('analysis', entry, { ...options, resourceLimits })
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

  /** Ends the thread; what waits for an answer fails. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}

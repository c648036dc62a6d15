import '../../models/no-telemetry.ts'
import { Worker } from 'node:worker_threads'
import type {
  Listened,
  ThreadAnswer,
  ThreadRequest,
  ThreadSettings,
  Transcribed,
  Unanswered,
} from './thread-messages.ts'

export class ThreadDied extends Error {
  override name = 'ThreadDied'
}

type Waiting = {
  readonly resolve: (answer: ThreadAnswer) => void
  readonly reject: (error: Error) => void
}

/** Something asked of the thread. It ends with an answer also when it was canceled: the thread has let go of the file. */
export type Asked<Answer> = {
  readonly answer: Promise<Answer | Unanswered>
  /** There is more of the file. */
  grown(isWhole: boolean): void
}

/**
 * The thread with the speech models. It starts with the first request and stays: loading takes longer than a short
 * clip. One that dies fails what it was doing; the next request starts another.
 */
export class SpeechThread {
  readonly #settings: ThreadSettings
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(settings: ThreadSettings) {
    this.#settings = settings
  }

  async transcribe(soundPath: string, signal: AbortSignal): Promise<Transcribed | Unanswered> {
    signal.throwIfAborted()
    return this.#ask<Transcribed>('transcribe', soundPath, signal).answer
  }

  /** The file may still be written. */
  listen(soundPath: string, signal: AbortSignal): Asked<Listened> {
    return this.#ask<Listened>('listen', soundPath, signal)
  }

  #ask<Answer>(
    type: 'transcribe' | 'listen',
    soundPath: string,
    signal: AbortSignal,
  ): Asked<Answer> {
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#start())
    const cancel = (): void => post(worker, { type: 'cancel', id })
    const waiting = Promise.withResolvers<ThreadAnswer>()
    this.#waiting.set(id, waiting)
    worker.ref()
    post(worker, { type, id, soundPath })
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    const answer = waiting.promise.finally(() => {
      signal.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref()
    })
    return {
      // The thread answers what it was asked.
      answer: answer as Promise<Answer | Unanswered>,
      grown: (isWhole) => post(worker, { type: 'grown', id, isWhole }),
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./speech-thread.ts', import.meta.url), {
      name: 'speech',
      workerData: this.#settings,
    })
    let fault: unknown
    worker.on('message', (answer: ThreadAnswer) => this.#waiting.get(answer.id)?.resolve(answer))
    worker.on('error', (error) => {
      fault = error
    })
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#worker = undefined
      const died = new ThreadDied(`The speech thread ended with ${code}`, { cause: fault })
      for (const { reject } of this.#waiting.values()) reject(died)
    })
    return worker
  }
}

function post(worker: Worker, request: ThreadRequest): void {
  worker.postMessage(request)
}

import '../../no-telemetry.ts'
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest, ThreadSettings } from './thread-messages.ts'

export class ThreadDied extends Error {
  override name = 'ThreadDied'
}

type Waiting = {
  readonly resolve: (answer: ThreadAnswer) => void
  readonly reject: (error: Error) => void
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

  /** Ends with the thread's answer; a cancelled request is answered too, once the thread has let go of the file. */
  async transcribe(soundPath: string, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted()
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#start())
    const cancel = (): void => post(worker, { type: 'cancel', id })
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        worker.ref()
        signal.addEventListener('abort', cancel)
        post(worker, { type: 'transcribe', id, soundPath })
      })
    } finally {
      signal.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref()
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

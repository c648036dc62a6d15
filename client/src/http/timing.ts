import { TimeoutError } from '../errors.ts'

/** What waiting depends on; a test passes its own. */
export type Timing = {
  /** Rejects with the reason of the signal as soon as that is aborted. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 to 1. */
  random: () => number
}

export const realTiming: Timing = { pause, random: () => Math.random() }

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A signal that is aborted with another one, and with an error of its own when its time is over. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #giveUp = () => this.#controller.abort(this.#outer?.reason)
  readonly #what: string
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `what` begins the message of the error: "GET /v1/videos". AbortSignal.any is younger than Node 18. */
  constructor(what: string, outer: AbortSignal | undefined) {
    this.#what = what
    this.#outer = outer
    if (outer?.aborted) this.#giveUp()
    outer?.addEventListener('abort', this.#giveUp, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The time begins now, whatever was left of it. */
  set(ms: number): void {
    this.#stopClock()
    this.#timer = setTimeout(() => {
      const seconds = Math.round(ms / 1000)
      this.#controller.abort(new TimeoutError(`${this.#what}: nothing arrived for ${seconds} s.`))
    }, ms)
  }

  clear(): void {
    this.#stopClock()
    this.#outer?.removeEventListener('abort', this.#giveUp)
  }

  #stopClock(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
  }
}

type Listener = () => void
/** The source of a signal's end. It is not followed until somebody listens. */
type Source = {
  /** The reason, if it has ended by now. */
  over: () => { reason: unknown } | undefined
  /** Calls back when it ends; returns a function that stops this. */
  follow: (tell: (reason: unknown) => void) => () => void
}

/**
 * An AbortSignal of the world. Most signals have no listeners, or only for a short time. Node's have timers that go on after
 * that, and use events and weak references: a twentieth of a busy day.
 */
class Signal {
  #over: { reason: unknown } | undefined
  readonly #source: Source | undefined
  readonly #listeners = new Set<Listener>()
  #leave: (() => void) | undefined

  constructor(source?: Source) {
    this.#source = source
  }

  static any(signals: readonly Signal[]): Signal {
    return new Signal({
      over: () => {
        const first = signals.find(({ aborted }) => aborted)
        return first && { reason: first.reason }
      },
      follow: (tell) => {
        const leaving = signals.map((signal) => {
          const hear = (): void => tell(signal.reason)
          signal.addEventListener('abort', hear)
          return () => signal.removeEventListener('abort', hear)
        })
        return () => {
          for (const leave of leaving) leave()
        }
      },
    })
  }

  get aborted(): boolean {
    this.#over ??= this.#source?.over()
    return this.#over !== undefined
  }

  get reason(): unknown {
    return this.aborted ? this.#over?.reason : undefined
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason as Error
  }

  addEventListener(_: 'abort', listener: Listener): void {
    if (this.#over) return
    this.#listeners.add(listener)
    this.#leave ??= this.#source?.follow((reason) => this.end(reason))
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#stopFollowing()
  }

  end(reason: unknown): void {
    this.#over ??= { reason }
    const told = [...this.#listeners]
    this.#listeners.clear()
    this.#stopFollowing()
    for (const tell of told) tell()
  }

  #stopFollowing(): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

/** What programs know as `AbortController`. */
export class Controller {
  readonly signal = new Signal()

  abort(reason: unknown = abortError): void {
    if (!this.signal.aborted) this.signal.end(reason)
  }
}

/** What programs know as `AbortSignal`; `after` runs a function later, and returns how to cancel that. */
export function signalsOf(now: () => number, after: (ms: number, run: () => void) => () => void) {
  const timeout = (ms: number): Signal => {
    const until = now() + ms
    return new Signal({
      over: () => (now() >= until ? { reason: timeoutError } : undefined),
      follow: (tell) => after(until - now(), () => tell(timeoutError)),
    })
  }
  return { timeout, any: (signals: readonly Signal[]) => Signal.any(signals) }
}

/** One error for all timeouts, because making its stack takes longest and nobody reads it. */
const timeoutError = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
const abortError = new DOMException('This operation was aborted', 'AbortError')

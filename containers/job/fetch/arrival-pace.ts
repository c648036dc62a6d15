export type LeastPace = { readonly bytes: number; readonly withinMs: number }

/** The server answers, but sends so slowly that the job might wait forever. */
export class SourceTooSlowError extends Error {
  override name = 'SourceTooSlowError'
  readonly pace: LeastPace

  constructor(pace: LeastPace) {
    super(`Fewer than ${pace.bytes} bytes came within ${pace.withinMs} ms`)
    this.pace = pace
  }
}

/** Watches one try of a download: from the request on, enough bytes must arrive within each stretch of time. */
export class ArrivalPace {
  readonly #pace: LeastPace
  readonly #tooSlow = new AbortController()
  readonly #timer: NodeJS.Timeout
  #leftBytes: number

  constructor(pace: LeastPace) {
    this.#pace = pace
    this.#leftBytes = pace.bytes
    this.#timer = setTimeout(() => this.#tooSlow.abort(new SourceTooSlowError(pace)), pace.withinMs)
  }

  /** Aborted if a stretch of time brought too few bytes. */
  get signal(): AbortSignal {
    return this.#tooSlow.signal
  }

  arrived(bytes: number): void {
    this.#leftBytes -= bytes
    if (this.#leftBytes > 0 || this.signal.aborted) return
    this.#leftBytes = this.#pace.bytes
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

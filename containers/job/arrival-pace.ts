export type Pace = { readonly bytes: number; readonly withinMs: number }

/** The server answers, but a job would wait for its bytes without end. */
export class SourceTooSlowError extends Error {
  override name = 'SourceTooSlowError'
  readonly pace: Pace

  constructor(pace: Pace) {
    super(`Fewer than ${pace.bytes} bytes came within ${pace.withinMs} ms`)
    this.pace = pace
  }
}

/** Watches over one try of a download: enough bytes must come within each stretch of time, from its request on. */
export class ArrivalPace {
  readonly #pace: Pace
  readonly #tooSlow = new AbortController()
  readonly #timer: NodeJS.Timeout
  #leftBytes: number

  constructor(pace: Pace) {
    this.#pace = pace
    this.#leftBytes = pace.bytes
    this.#timer = setTimeout(() => this.#tooSlow.abort(new SourceTooSlowError(pace)), pace.withinMs)
  }

  /** Aborted when a stretch of time has brought too little. */
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

/** A scheduled event; without `run` it does nothing. */
export type Scheduled = { run: (() => void) | undefined; about?: string }

type Timed = Scheduled & { at: number; order: number }
type Running = Timed & { run: () => void }

/**
 * The one clock and the one queue of events of a world. Time stands still while code runs, and jumps to the next event once all
 * code waits, so a week takes as long as its events take to compute.
 */
export class Loop {
  /** Milliseconds since 1970, with fractions. This clock never goes back. */
  now: number
  /** By how much the clocks that programs read are ahead; setting the clock changes it. */
  skew = 0
  /** Called with the subject of each event and the processor time that it took. */
  onRan: ((about: string, ms: number) => void) | undefined
  readonly #heap: Timed[] = []
  #order = 0

  constructor(startsAt: number) {
    this.now = startsAt
  }

  /** The time on the clock that programs read. */
  get wall(): number {
    return Math.floor(this.now + this.skew)
  }

  /** `about`: the subject to which the event's processor time counts. */
  in(ms: number, run: () => void, about = ''): Scheduled {
    const event: Timed = { at: this.now + Math.max(0, ms), order: this.#order++, run, about }
    this.#push(event)
    return event
  }

  async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.in(ms, resolve))
  }

  /** Runs all events until this time. Between two events, code runs as far as it can. */
  async runUntil(until: number, isOver: () => boolean = () => false): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      let ran = 0
      let ended: ((ms: number) => void) | undefined
      // Node runs a tick that was asked for by a promise only after all other promises that are settled.
      const goOn = (): void => process.nextTick(step)
      const step = (): void => {
        ended?.(performance.now())
        try {
          const next = isOver() ? undefined : this.#next(until)
          if (!next) return resolve()
          ended = this.#watched(next)
          next.run()
          if (++ran % breath === 0) setImmediate(step)
          else void resolved.then(goOn)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      void resolved.then(goOn)
    })
    if (!isOver()) this.now = Math.max(this.now, until)
  }

  /** Takes the next event until this time and moves the clock there, passing over timers that were stopped. */
  #next(until: number): Running | undefined {
    for (let next = this.#heap[0]; next && next.at <= until; next = this.#heap[0]) {
      this.#pop()
      this.now = next.at
      if (next.run) return next as Running
    }
    return undefined
  }

  /** Measures the processor time that an event and its consequences take. */
  #watched({ about = '' }: Scheduled): ((endedAt: number) => void) | undefined {
    const { onRan } = this
    if (!onRan) return undefined
    const begunAt = performance.now()
    return (endedAt) => onRan(about, endedAt - begunAt)
  }

  #push(event: Timed): void {
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (!parent || isBefore(parent, event)) break
      heap[at] = parent
      at = above
    }
    heap[at] = event
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (!child || isBefore(last, child)) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = last
  }
}

function isBefore(one: Timed, other: Timed): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

const resolved = Promise.resolve()
/** After this many events, Node may handle the input and output of its process. */
const breath = 1_000

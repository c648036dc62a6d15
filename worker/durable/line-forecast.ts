import type { QueuePlace } from '../service/line/dispatching.ts'
import type { Line } from '../service/line/line.ts'

/** The last jobs, up to this number, tell how long the next ones take. */
export const pastJobs = 20
/** The whole order is worked out at most this often. */
const freshMs = 1_000

/** Which place each job has in the line, and when it may start: from how long the last jobs have worked. */
export class LineForecast {
  readonly #line: Line
  readonly #workedMs: number[] = []
  #places = new Map<string, number>()
  #changes = -1
  #at = -Infinity

  constructor(line: Line) {
    this.#line = line
  }

  /** A job has worked for this long. */
  note(workedMs: number): void {
    this.#workedMs.push(workedMs)
    if (this.#workedMs.length > pastJobs) this.#workedMs.shift()
  }

  placeOf(jobId: string, now: number): QueuePlace | undefined {
    if (!this.#line.has(jobId)) return undefined
    if (now >= this.#at + freshMs || !this.#places.has(jobId)) this.#refresh(now)
    const position = this.#places.get(jobId)
    return position === undefined ? undefined : { position, startsInMs: this.#startsIn(position) }
  }

  #refresh(now: number): void {
    if (this.#changes === this.#line.changes) return
    this.#places = new Map(this.#line.inOrder().map((id, i) => [id, i + 1]))
    this.#changes = this.#line.changes
    this.#at = now
  }

  /** While n jobs run, one of them ends every nth of the time that one takes. */
  #startsIn(position: number): number | undefined {
    const sorted = [...this.#workedMs].sort((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined
      ? undefined
      : Math.round((position * median) / Math.max(1, this.#line.running))
  }
}

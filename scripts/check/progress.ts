import type { Step } from './steps.ts'

type Timed = Pick<Step, 'name' | 'seconds'>

/** Tells how long some steps take before the first begins, and at each of them how far they are. */
export class Progress {
  readonly #steps: readonly Timed[]
  readonly #now: () => number
  readonly #startedAt: number
  #stepAt: number

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(steps: readonly Timed[], now: () => number) {
    this.#steps = steps
    this.#now = now
    this.#startedAt = now()
    this.#stepAt = this.#startedAt
  }

  /** `7 steps, about 13 minutes on two quiet cores: format, lint, …` */
  plan(): string {
    const names = this.#steps.map(({ name }) => name)
    const all = aboutSeconds(this.#steps.reduce((sum, { seconds }) => sum + seconds, 0))
    return `${names.length} steps, about ${all} on two quiet cores: ${names.join(', ')}`
  }

  /** `3 of 7: types, about 30 s (0:41 so far)` */
  begin(step: Timed): string {
    this.#stepAt = this.#now()
    const number = this.#steps.indexOf(step) + 1
    const soFar = clock(this.#stepAt - this.#startedAt)
    const about = aboutSeconds(step.seconds)
    return `${number} of ${this.#steps.length}: ${step.name}, about ${about} (${soFar} so far)`
  }

  /** `31.4 s`, of the step that began last. */
  took(): string {
    return `${((this.#now() - this.#stepAt) / 1000).toFixed(1)} s`
  }
}

function aboutSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** `m:ss` */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

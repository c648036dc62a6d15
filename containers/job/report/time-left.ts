import type { Phase } from '../../../worker/contract/video/video-state.ts'

/** Estimates from the pace of the current phase how long a job still takes. */
export class TimeLeft {
  readonly #now: () => number
  #phase: Phase | undefined
  #begun = { at: 0, percent: 0 }
  #percent = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  hear(phase: Phase, percent: number): void {
    if (phase !== this.#phase) this.#begun = { at: this.#now(), percent }
    this.#phase = phase
    this.#percent = percent
  }

  /** Unknown before the rendering: the time that a source took says nothing about its encoding. */
  get ms(): number {
    if (this.#phase !== 'rendering' && this.#phase !== 'uploading') return Infinity
    const gained = this.#percent - this.#begun.percent
    if (gained <= 0) return Infinity
    return ((this.#now() - this.#begun.at) / gained) * (100 - this.#percent)
  }
}

import { hopSamples } from './spectrum.ts'

/** Noise is learned again for every stretch of this many frames, about two seconds. */
export const stretchFrames = 94

/** Counts frames into stretches; none reaches from one clip into the next: another clip is another room. */
export class Stretches {
  /** In samples from the beginning. */
  readonly #clipEnds: readonly number[]
  #frames = 0
  #framesInStretch = 0
  clip = 0

  constructor(clipEnds: readonly number[]) {
    this.#clipEnds = clipEnds
  }

  /** Whether the next frame begins a stretch; `onEnd` hears of the end before the clip changes. */
  next(onEnd: () => void): void {
    const isClipOver = this.#frames * hopSamples >= (this.#clipEnds[this.clip] ?? Infinity)
    if (isClipOver || this.#framesInStretch === stretchFrames) {
      onEnd()
      this.#framesInStretch = 0
    }
    if (isClipOver) this.clip += 1
    this.#frames += 1
    this.#framesInStretch += 1
  }
}

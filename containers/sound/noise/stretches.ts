import { hopSamples } from '../dsp/spectrum.ts'

/** Noise is learned separately for every stretch of this many frames, about two seconds. */
export const stretchFrames = 94

/** Divides frames into stretches. No stretch contains two clips, because another clip may come from another room. */
export class Stretches {
  /** The end of each clip, in samples from the beginning. */
  readonly #clipEnds: readonly number[]
  #frames = 0
  #framesInStretch = 0
  clip = 0

  constructor(clipEnds: readonly number[]) {
    this.#clipEnds = clipEnds
  }

  /** Returns whether the next frame begins a stretch; calls `onEnd` before the clip changes. */
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

import type { MediaFacts } from './media-facts.ts'

/** A finished video in the job folder. */
export type Video = {
  readonly name: string
  readonly facts: MediaFacts
  /** Pictures that an earlier step has gathered. */
  readonly pictures?: Pictures
}

/**
 * Pictures from all over a video, as raw data in the job folder, one after the other, upright, in the colours of JPEG.
 * Each even one shows a moment, and the odd one after it shows the video shortly afterwards.
 */
export type Pictures = {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly count: number
  /** Whether only key pictures were looked at. */
  readonly areKeys: boolean
  /** Whether each moment is beside them as a still, too. */
  readonly haveStills: boolean
}

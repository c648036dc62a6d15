import type { MediaFacts } from './media-facts.ts'

/** A finished video in the job folder. */
export type Video = {
  readonly name: string
  readonly facts: MediaFacts
  /** What was gathered of it before. */
  readonly pictures?: Pictures
}

/**
 * Pictures from all over a video, as raw data in the job folder: one after the other, upright, in the colours of JPEG.
 * Those at even places show a moment each, those at odd ones what follows shortly after.
 */
export type Pictures = {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly count: number
  /** Others of the video were not looked at. */
  readonly areKeys: boolean
}

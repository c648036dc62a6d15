import type { MediaFacts } from '../timeline/media-facts.ts'

/** A single picture, even if it came as a GIF. */
export type StillFacts = {
  readonly kind: 'still'
  readonly demuxer: 'png_pipe' | 'jpeg_pipe' | 'gif'
  /** As shown: ffmpeg itself applies the EXIF orientation of a photo. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export type GifFacts = {
  readonly kind: 'gif'
  readonly width: number
  readonly height: number
  readonly frames: number
  /** The length of one round of the loop, including the time of the last picture. */
  readonly seconds: number
}

export type MovieFacts = { readonly kind: 'movie'; readonly media: MediaFacts }

export type VisualFacts = StillFacts | GifFacts | MovieFacts

export type SoundFacts = {
  readonly kind: 'sound'
  readonly demuxer: 'mp3' | 'wav'
  readonly channels: number
  /** The length of the decoded sound, exact to the sample. */
  readonly seconds: number
}

/** What was measured of an element's file. */
export type ElementFacts = VisualFacts | SoundFacts

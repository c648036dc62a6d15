import type { MediaFacts } from '../timeline/media-facts.ts'

/** One picture, also when it came as a GIF. */
export type StillFacts = {
  readonly kind: 'still'
  readonly demuxer: 'png_pipe' | 'jpeg_pipe' | 'gif'
  /** As shown: ffmpeg itself turns a photo as its EXIF orientation says. */
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

export type GifFacts = {
  readonly kind: 'gif'
  readonly width: number
  readonly height: number
  readonly frames: number
  /** One round, with the time of the last picture. */
  readonly seconds: number
}

export type MovieFacts = { readonly kind: 'movie'; readonly media: MediaFacts }

export type VisualFacts = StillFacts | GifFacts | MovieFacts

export type SoundFacts = {
  readonly kind: 'sound'
  readonly demuxer: 'mp3' | 'wav'
  readonly channels: number
  /** What comes out of the decoder, to the sample. */
  readonly seconds: number
}

/** What is known for sure of the file of an element. */
export type ElementFacts = VisualFacts | SoundFacts

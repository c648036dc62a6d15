import type { VideoFormat } from '../../worker/contract/sniff-format.ts'
import type { Coordinates } from './coordinates.ts'
import type { FrameRate } from './frame-rate.ts'
import type { Scan } from './scan-facts.ts'

/** How colours were turned into luma and chroma. */
export type ColorMatrix = 'bt601' | 'bt709' | 'bt2020'

export type VideoFacts = {
  readonly index: number
  readonly codec: string
  readonly pixelFormat: string
  /** As shown: after rotation, with square pixels. */
  readonly width: number
  readonly height: number
  readonly hasSquarePixels: boolean
  /** Stored otherwise than it is shown; ffmpeg turns it upright before every filter. */
  readonly isTurned: boolean
  readonly scan: Scan
  readonly isFullRange: boolean
  readonly colorMatrix: ColorMatrix
  /** False when the file does not say so, and it was guessed. */
  readonly isMatrixTagged: boolean
  readonly hasAlpha: boolean
  readonly transfer: 'sdr' | 'pq' | 'hlg'
  readonly dolbyVisionProfile: number | undefined
  /** The steady rate it is best shown at; `averageFps` is what is really there. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  /** Some of its pictures stand for several others. */
  readonly hasGaps: boolean
  /** When the picture ends, in seconds from the start of the file. */
  readonly endSeconds: number
  /** How much later than it is meant ffmpeg shows every picture. */
  readonly lateSeconds: number
  readonly bitRate: number | undefined
}

export type AudioFacts = {
  readonly index: number
  readonly codec: string
  readonly sampleRate: number
  readonly channels: number
  readonly bitRate: number | undefined
}

/** What is known for sure of one media file. */
export type MediaFacts = {
  readonly format: VideoFormat
  readonly sizeBytes: number
  /** To the end of picture and sound. */
  readonly durationSeconds: number
  /** What the header says, where far less than that could be read. */
  readonly promisedSeconds?: number
  readonly video: VideoFacts
  readonly audio: AudioFacts | undefined
  /** Where it was recorded, if the file says so. */
  readonly coordinates?: Coordinates
}

import type { VideoFormat } from '../../worker/contract/video/sniff-format.ts'
import type { Coordinates } from './coordinates.ts'
import type { FrameRate } from './frame-rate.ts'
import type { Scan } from './scan-facts.ts'

/** How colours were turned into luma and chroma. */
export type ColorMatrix = 'bt601' | 'bt709' | 'bt2020'

/** The upper left of a display matrix: the pixel at (x, y) is shown at (ax + cy, bx + dy). */
export type TurnMatrix = Readonly<Record<'a' | 'b' | 'c' | 'd', number>>

export function isSideways({ a, b, c, d }: TurnMatrix): boolean {
  return Math.abs(b) + Math.abs(c) > Math.abs(a) + Math.abs(d)
}

export type VideoFacts = {
  readonly index: number
  readonly codec: string
  readonly pixelFormat: string
  /** The size as shown: after rotation, with square pixels. */
  readonly width: number
  readonly height: number
  readonly hasSquarePixels: boolean
  /** Whether the picture is stored in another orientation; ffmpeg turns it upright before all filters. */
  readonly isTurned: boolean
  /**
   * How the pictures are turned if side data in the stream says so. ffmpeg would turn only those directly after such data, and
   * encoded pictures in between would lack it.
   */
  readonly ownTurn: TurnMatrix | undefined
  readonly scan: Scan
  readonly isFullRange: boolean
  readonly colorMatrix: ColorMatrix
  /** False if the file does not name its matrix and it was guessed. */
  readonly isMatrixTagged: boolean
  readonly hasAlpha: boolean
  readonly transfer: 'sdr' | 'pq' | 'hlg'
  readonly dolbyVisionProfile: number | undefined
  /** The best steady rate to show it at; `averageFps` is its real rate. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  /** Whether some of its pictures stand for several others. */
  readonly hasGaps: boolean
  /** When the first picture is shown, in seconds from the start of the file; sound may come before it. */
  readonly beginSeconds: number
  /** When the picture ends, in seconds from the start of the file. */
  readonly endSeconds: number
  /** How much too late ffmpeg shows every picture. */
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

/** What was measured of one media file. */
export type MediaFacts = {
  readonly format: VideoFormat
  readonly sizeBytes: number
  /** The time until both picture and sound have ended. */
  readonly durationSeconds: number
  /** The length that the header claims, if far less could be read. */
  readonly promisedSeconds?: number
  readonly video: VideoFacts
  readonly audio: AudioFacts | undefined
  /** Where it was recorded, if the file says so. */
  readonly coordinates?: Coordinates
}

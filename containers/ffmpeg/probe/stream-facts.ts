import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { fpsOf, parseRate, steadyRate, type FrameRate } from '../../timeline/frame-rate.ts'
import {
  isSideways,
  type AudioFacts,
  type ColorMatrix,
  type TurnMatrix,
  type VideoFacts,
} from '../../timeline/media-facts.ts'
import type { Scan } from '../../timeline/scan-facts.ts'
import type { Rhythm } from './packet-statistics.ts'
import type { ProbedPacket, ProbedStream } from './probe-output.ts'

/** Picks the video stream; music files carry their cover image as a video stream too. */
export function pickVideo(streams: readonly ProbedStream[]): ProbedStream | undefined {
  return streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  )
}

/** Picks the first audio track that is not empty. */
export function pickAudio(streams: readonly ProbedStream[]): ProbedStream | undefined {
  return streams.find((stream) => stream.codec_type === 'audio' && stream.duration !== 0)
}

/** Looks at the packets, because ffprobe names the codec of an encrypted stream as if it were not encrypted. */
export function isEncrypted(packets: readonly ProbedPacket[], stream: ProbedStream): boolean {
  return packets.some(({ streamIndex, isLocked }) => isLocked && streamIndex === stream.index)
}

/** Properties that the header of a stream does not give reliably. */
type MeasuredPicture = {
  readonly scan: Scan
  readonly beginSeconds: number
  readonly endSeconds: number
  readonly lateSeconds: number
  readonly countedFps: number | undefined
  /** Measured only if the header is not enough. */
  readonly rhythm: Rhythm | undefined
  readonly ownTurn: TurnMatrix | undefined
}

/** Whether the header says that all pictures are shown equally long; WebM headers always do. */
export function claimsConstantRate(stream: ProbedStream): boolean {
  const nominal = parseRate(stream.r_frame_rate)
  const average = parseRate(stream.avg_frame_rate)
  return nominal !== undefined && average !== undefined && isNear(nominal, fpsOf(average))
}

function isNear(nominal: FrameRate, fps: number): boolean {
  return Math.abs(fpsOf(nominal) - fps) / fps < 0.001
}

export type ClaimedPictures = Pick<
  VideoFacts,
  'codec' | 'width' | 'height' | 'averageFps' | 'bitRate' | 'transfer'
>

export function videoFacts(stream: ProbedStream, measured: MeasuredPicture): VideoFacts {
  const nominal = parseRate(stream.r_frame_rate)
  const { rhythm, scan } = measured
  const counted = rhythm
    ? rhythm.pictures / Math.max(measured.endSeconds, 0.001)
    : measured.countedFps
  const average =
    counted === undefined ? parseRate(stream.avg_frame_rate) : { frames: counted, seconds: 1 }
  const frameRate = steadyRate(nominal, average, rhythm && 1 / rhythm.usualSeconds)
  const averageFps = fpsOf(average ?? frameRate)
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    pixelFormat: stream.pix_fmt ?? 'unknown',
    ...displaySize(stream, measured.ownTurn),
    scan,
    isFullRange: stream.color_range === 'pc' || (stream.pix_fmt ?? '').startsWith('yuvj'),
    ...colorMatrixOf(stream),
    hasAlpha: stream.tags?.alpha_mode === '1' || hasAlphaFormat(stream.pix_fmt ?? ''),
    transfer: transferOf(stream.color_transfer),
    dolbyVisionProfile: stream.side_data_list?.find((data) => data.dv_profile)?.dv_profile,
    frameRate,
    averageFps,
    hasConstantRate: rhythm?.isSteady ?? (nominal !== undefined && isNear(nominal, averageFps)),
    hasGaps: rhythm?.hasGaps ?? false,
    beginSeconds: measured.beginSeconds,
    endSeconds: measured.endSeconds,
    lateSeconds: measured.lateSeconds,
    bitRate: stream.bit_rate,
  }
}

/** The properties of the pictures according to the header. */
export function claimedPictures(stream: ProbedStream): ClaimedPictures {
  const rate = parseRate(stream.avg_frame_rate) ?? parseRate(stream.r_frame_rate)
  const { width, height } = displaySize(stream, undefined)
  const { codec_name: codec = 'unknown', bit_rate: bitRate } = stream
  const transfer = transferOf(stream.color_transfer)
  return { codec, width, height, averageFps: rate ? fpsOf(rate) : 0, bitRate, transfer }
}

/**
 * AVI stores no times, only the decoding order. ffmpeg shows each picture once it is decoded and reordered, so every picture is
 * late by the number of pictures that the decoder holds back.
 */
export function lateSecondsOf(stream: ProbedStream, format: VideoFormat): number {
  const rate = parseRate(stream.r_frame_rate)
  return format === 'avi' && rate ? (stream.has_b_frames ?? 0) / fpsOf(rate) : 0
}

function displaySize(
  stream: ProbedStream,
  ownTurn: TurnMatrix | undefined,
): Pick<VideoFacts, 'width' | 'height' | 'hasSquarePixels' | 'isTurned' | 'ownTurn'> {
  const [across = 1, down = 1] = (stream.sample_aspect_ratio ?? '').split(':').map(Number)
  const pixelShape = across > 0 && down > 0 ? across / down : 1
  const codedHeight = stream.height ?? 0
  const codedWidth = Math.round((stream.width ?? 0) * pixelShape)
  const rotation = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  const liesOnSide = ownTurn ? isSideways(ownTurn) : isNearRight(rotation)
  return {
    width: liesOnSide ? codedHeight : codedWidth,
    height: liesOnSide ? codedWidth : codedHeight,
    hasSquarePixels: pixelShape === 1,
    isTurned: ownTurn !== undefined || rotation !== undefined,
    ownTurn,
  }
}

/** Whether the angle is nearly a right one; ffmpeg turns by other angles too, and keeps the size then. */
function isNearRight(degrees = 0): boolean {
  return Math.abs((Math.abs(degrees) % 180) - 90) < 1
}

/** Includes palettes, which may hold a transparent colour. */
export function hasAlphaFormat(pixelFormat: string): boolean {
  return /^(yuva|gbrap|rgba|bgra|argb|abgr|ayuv|ya\d|pal8)/.test(pixelFormat)
}

const namedMatrices: Readonly<Record<string, ColorMatrix>> = {
  bt709: 'bt709',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  fcc: 'bt601',
}

/** If the file does not name the matrix, assumes what players assume: BT.709 for high definition, BT.601 otherwise. */
function colorMatrixOf({
  color_space: name = '',
  width = 0,
  height = 0,
}: ProbedStream): Pick<VideoFacts, 'colorMatrix' | 'isMatrixTagged'> {
  const named = namedMatrices[name]
  if (named) return { colorMatrix: named, isMatrixTagged: true }
  const isHighDefinition = height >= 720 || width >= 1280
  return { colorMatrix: isHighDefinition ? 'bt709' : 'bt601', isMatrixTagged: false }
}

function transferOf(name: string | undefined): VideoFacts['transfer'] {
  if (name === 'smpte2084') return 'pq'
  return name === 'arib-std-b67' ? 'hlg' : 'sdr'
}

export function audioFacts(stream: ProbedStream): AudioFacts {
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    sampleRate: stream.sample_rate ?? 48_000,
    channels: stream.channels ?? 2,
    bitRate: stream.bit_rate,
  }
}

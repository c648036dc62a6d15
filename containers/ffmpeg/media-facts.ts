import type { VideoFormat } from '../../worker/contract/sniff-format.ts'
import type { Coordinates } from './coordinates.ts'
import { fpsOf, parseRate, steadyRate, type FrameRate } from './frame-rate.ts'
import type { ProbedStream, ProbeOutput } from './probe-output.ts'

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
  readonly isFullRange: boolean
  readonly colorMatrix: ColorMatrix
  readonly hasAlpha: boolean
  readonly transfer: 'sdr' | 'pq' | 'hlg'
  readonly dolbyVisionProfile: number | undefined
  /** The steady rate it is best shown at; `averageFps` is what is really there. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  /** When the picture ends, in seconds from the start of the file. */
  readonly endSeconds: number
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
  /** To the end of the last stream. */
  readonly durationSeconds: number
  readonly video: VideoFacts
  readonly audio: AudioFacts | undefined
  /** Where it was recorded, if the file says so. */
  readonly coordinates?: Coordinates
}

/** The picture: not the cover image that music files carry as a video stream. */
export function pickVideo(streams: readonly ProbedStream[]): ProbedStream | undefined {
  return streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  )
}

/** The first sound track that holds something. */
export function pickAudio(streams: readonly ProbedStream[]): ProbedStream | undefined {
  return streams.find((stream) => stream.codec_type === 'audio' && stream.duration !== 0)
}

/** Seen on the packets: ffprobe gives an encrypted stream the name of what it would be without. */
export function isEncrypted(probe: ProbeOutput, stream: ProbedStream): boolean {
  return probe.packets.some(
    (packet) =>
      packet.stream_index === stream.index &&
      packet.side_data_list.some((data) => data.side_data_type?.startsWith('Encryption')),
  )
}

export type PictureTimes = { readonly endSeconds: number; readonly countedFps: number | undefined }

export function videoFacts(stream: ProbedStream, times: PictureTimes): VideoFacts {
  const nominal = parseRate(stream.r_frame_rate)
  const counted = times.countedFps
  const average =
    counted === undefined ? parseRate(stream.avg_frame_rate) : { frames: counted, seconds: 1 }
  const frameRate = steadyRate(nominal, average)
  const averageFps = fpsOf(average ?? frameRate)
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    pixelFormat: stream.pix_fmt ?? 'unknown',
    ...displaySize(stream),
    isFullRange: stream.color_range === 'pc' || (stream.pix_fmt ?? '').startsWith('yuvj'),
    colorMatrix: colorMatrixOf(stream.color_space),
    hasAlpha: stream.tags?.alpha_mode === '1' || hasAlphaFormat(stream.pix_fmt ?? ''),
    transfer: transferOf(stream.color_transfer),
    dolbyVisionProfile: stream.side_data_list?.find((data) => data.dv_profile)?.dv_profile,
    frameRate,
    averageFps,
    hasConstantRate:
      nominal !== undefined && Math.abs(fpsOf(nominal) - averageFps) / averageFps < 0.001,
    endSeconds: times.endSeconds,
  }
}

function displaySize(
  stream: ProbedStream,
): Pick<VideoFacts, 'width' | 'height' | 'hasSquarePixels'> {
  const [across = 1, down = 1] = (stream.sample_aspect_ratio ?? '').split(':').map(Number)
  const pixelShape = across > 0 && down > 0 ? across / down : 1
  const codedHeight = stream.height ?? 0
  const codedWidth = Math.round((stream.width ?? 0) * pixelShape)
  const rotation = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const isTurned = Math.abs(Math.round(rotation / 90)) % 2 === 1
  return {
    width: isTurned ? codedHeight : codedWidth,
    height: isTurned ? codedWidth : codedHeight,
    hasSquarePixels: pixelShape === 1,
  }
}

/** Palettes may hold a transparent colour. */
export function hasAlphaFormat(pixelFormat: string): boolean {
  return /^(yuva|gbrap|rgba|bgra|argb|abgr|ayuv|ya\d|pal8)/.test(pixelFormat)
}

/** A picture that does not say is BT.601 to ffmpeg, which reads, converts and draws it so. */
function colorMatrixOf(name: string | undefined): ColorMatrix {
  if (name === 'bt709') return 'bt709'
  return name?.startsWith('bt2020') ? 'bt2020' : 'bt601'
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

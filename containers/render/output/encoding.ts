import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { Removed } from '../../timeline/list-cuts.ts'
import { isSameFamily } from '../../cuts/plan/copied-codecs.ts'
import type { AudioFacts, MediaFacts } from '../../timeline/media-facts.ts'

type Range = { readonly atQuality1: number; readonly atQuality100: number }

type FormatCoding = {
  readonly contentType: string
  readonly muxing: readonly string[]
  readonly videoCodec: 'libx264' | 'libvpx-vp9'
  readonly crf: Range
  /** libvpx takes only whole numbers, so two neighbouring qualities may give the same one. */
  readonly hasWholeCrf: boolean
  readonly videoArgs: readonly string[]
  readonly audioCodec: 'aac' | 'libopus' | 'libmp3lame'
  /** For a stereo track; mono takes half. */
  readonly audioKilobits: Range
  readonly maxChannels: number
  readonly needsConstantRate: boolean
  /** The encoder counts a picture when it takes it, and writes it this many pictures later. */
  readonly heldBack: number
  /** The number of samples that the codec adds before the sound, if the container cannot record it. */
  readonly hiddenDelaySamples?: number
}

const x264 = {
  videoCodec: 'libx264',
  crf: { atQuality1: 44, atQuality100: 14 },
  hasWholeCrf: false,
  videoArgs: ['-preset', 'fast', '-profile:v', 'high'],
  heldBack: 36,
} as const

const quickTimeFamily = {
  ...x264,
  audioCodec: 'aac',
  audioKilobits: { atQuality1: 48, atQuality100: 256 },
  maxChannels: 6,
  needsConstantRate: false,
} as const

/** The codecs that players of each container expect. */
const codings: Record<VideoFormat, FormatCoding> = {
  mp4: {
    ...quickTimeFamily,
    contentType: 'video/mp4',
    muxing: ['-movflags', '+faststart', '-f', 'mp4'],
  },
  mov: {
    ...quickTimeFamily,
    contentType: 'video/quicktime',
    muxing: ['-movflags', '+faststart', '-f', 'mov'],
  },
  webm: {
    contentType: 'video/webm',
    muxing: ['-f', 'webm'],
    videoCodec: 'libvpx-vp9',
    crf: { atQuality1: 62, atQuality100: 15 },
    hasWholeCrf: true,
    heldBack: 25,
    videoArgs: ['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1'],
    audioCodec: 'libopus',
    audioKilobits: { atQuality1: 40, atQuality100: 192 },
    maxChannels: 2,
    needsConstantRate: false,
  },
  avi: {
    ...x264,
    contentType: 'video/x-msvideo',
    // Otherwise ffmpeg would delay the picture by a whole frame because of the hidden samples of the sound.
    muxing: ['-avoid_negative_ts', 'disabled', '-f', 'avi'],
    // AVI has no presentation times: pictures are shown in the order in which they are stored.
    videoArgs: [...x264.videoArgs, '-bf', '0'],
    audioCodec: 'libmp3lame',
    audioKilobits: { atQuality1: 64, atQuality100: 320 },
    maxChannels: 2,
    needsConstantRate: true,
    // 576 from the encoder and 529 from every decoder.
    hiddenDelaySamples: 1105,
  },
}

export function contentTypeOf(format: VideoFormat): string {
  return codings[format].contentType
}

export function muxingOf(format: VideoFormat): readonly string[] {
  // Keeps the muxer's name and version out of the file.
  return ['-fflags', '+bitexact', ...codings[format].muxing]
}

export function needsConstantRate(format: VideoFormat): boolean {
  return codings[format].needsConstantRate
}

export function heldBackIn(format: VideoFormat): number {
  return codings[format].heldBack
}

export function hiddenDelaySamples(format: VideoFormat): number {
  return codings[format].hiddenDelaySamples ?? 0
}

/** A sound with too many channels becomes stereo. */
export function channelsIn(
  format: VideoFormat,
  { channels }: Pick<CodedSound, 'channels'>,
): number {
  return channels <= codings[format].maxChannels ? channels : 2
}

/** Falls strictly with rising quality, for encoders that accept fractions. */
export function crfOf(format: VideoFormat, quality: number): number {
  const { crf, hasWholeCrf } = codings[format]
  const value = atQuality(crf, quality)
  return hasWholeCrf ? Math.round(value) : Math.round(value * 1000) / 1000
}

function atQuality({ atQuality1, atQuality100 }: Range, quality: number): number {
  return atQuality1 + ((atQuality100 - atQuality1) * (quality - 1)) / 99
}

/** Encodes at constant quality, in as many bytes as that takes. */
export function qualityRate(format: VideoFormat, quality: number): string[] {
  const unbound = codings[format].videoCodec === 'libvpx-vp9' ? ['-b:v', '0'] : []
  return ['-crf', String(crfOf(format, quality)), ...unbound]
}

type CodedPicture = {
  width: number
  height: number
  frameRate: FrameRate
  hasConstantRate: boolean
  hasGaps: boolean
  removed: Pick<Removed, 'all'>
}

/** x264 takes 1.6 GB at 4K and 6 GB at 8K with its usual lookahead and threads. */
const largePicturePixels = 9_000_000

export function videoCoding(
  format: VideoFormat,
  rate: readonly string[],
  picture: CodedPicture,
  threads: number,
): string[] {
  const { videoCodec, videoArgs } = codings[format]
  const isLarge = picture.width * picture.height > largePicturePixels
  const leaner =
    isLarge && videoCodec === 'libx264' ? ['-x264-params', 'rc-lookahead=10:ref=1'] : []
  return [
    ...['-c:v', videoCodec, ...rate, ...videoArgs, ...leaner],
    ...(videoCodec === 'libvpx-vp9' ? tiling(picture.width) : []),
    // A key frame about every two seconds lets players seek.
    ...['-g', String(Math.max(1, Math.round(fpsOf(picture.frameRate) * 2.5)))],
    ...(picture.hasConstantRate ? [] : ownTimes),
    // MP4 derives the length of a track from the decoding order, which is far too short if a reordered picture is shown
    // for long.
    // Closed captions come before the picture that they are shown with, so those of kept pictures tell what was removed.
    ...(picture.removed.all.length > 0 && videoCodec === 'libx264' ? ['-a53cc', '0'] : []),
    ...(picture.hasGaps && videoCodec === 'libx264' ? ['-bf', '0'] : []),
    ...['-pix_fmt', 'yuv420p', '-color_range', 'tv'],
    ...['-threads', String(isLarge ? Math.min(threads, 4) : threads)],
  ]
}

/** Phones record at a variable rate: ffmpeg would move pictures to a grid and repeat some. */
const ownTimes = ['-fps_mode:v', 'vfr', '-enc_time_base:v', '1:90000']

/** VP9 uses several threads only for columns of at least 256 pixels each. */
function tiling(width: number): string[] {
  const columns = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(width, 256) / 256))))
  return ['-tile-columns', String(columns)]
}

/** Sampling rates that every encoder here accepts; any other is converted to 48 kHz. */
const commonSampleRates = [44_100, 48_000]
const mp3Kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

type CodedSound = Pick<AudioFacts, 'channels' | 'sampleRate'>

export function audioKilobits(format: VideoFormat, quality: number, channels: number): number {
  const { audioKilobits: range, audioCodec } = codings[format]
  const kilobits = (atQuality(range, quality) * Math.max(1, channels)) / 2
  return audioCodec === 'libmp3lame' ? mp3Step(kilobits) : Math.round(kilobits)
}

function mp3Step(kilobits: number): number {
  return mp3Kilobits.find((step) => step >= kilobits) ?? 320
}

export function audioCoding(format: VideoFormat, sound: CodedSound, bits: number): string[] {
  const channels = channelsIn(format, sound)
  const { audioCodec } = codings[format]
  const kilobits = audioCodec === 'libmp3lame' ? mp3Step(bits / 1000) : Math.round(bits / 1000)
  return [
    ...['-c:a', audioCodec, '-b:a', `${kilobits}k`],
    ...['-ar', String(codedSampleRate(format, sound)), '-ac', String(channels)],
  ]
}

export function codedSampleRate(format: VideoFormat, { sampleRate }: CodedSound): number {
  const isCommon =
    commonSampleRates.includes(sampleRate) && codings[format].audioCodec !== 'libopus'
  return isCommon ? sampleRate : 48_000
}

/** Codecs that practically every player of the container supports, browsers first. */
const widelyPlayed: Record<VideoFormat, readonly string[]> = {
  mp4: ['h264'],
  mov: ['h264'],
  webm: ['vp8', 'vp9'],
  avi: ['h264', 'mpeg4'],
}

const copiedAudio: Record<VideoFormat, readonly string[]> = {
  mp4: ['aac'],
  mov: ['aac'],
  webm: ['opus', 'vorbis'],
  avi: ['mp3', 'ac3', 'pcm_s16le', 'pcm_u8'],
}

export function isWidelyPlayed({ video }: MediaFacts, format: VideoFormat): boolean {
  return widelyPlayed[format].includes(video.codec)
}

export function canCopyAudio(source: MediaFacts, format: VideoFormat): boolean {
  return (
    isSameFamily(source, format) &&
    source.audio !== undefined &&
    copiedAudio[format].includes(source.audio.codec)
  )
}

export function copyVideoCoding(source: MediaFacts): string[] {
  // Apple's players show HEVC only with this tag.
  const tag = source.video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : []
  return ['-c:v', 'copy', ...tag]
}

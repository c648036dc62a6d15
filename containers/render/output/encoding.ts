import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { isSameFamily } from '../../cuts/plan/copied-codecs.ts'
import type { AudioFacts, MediaFacts } from '../../timeline/media-facts.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { levelForMp3 } from './mp3-level.ts'
import { atQuality, type QualityRange } from './picture-codecs.ts'

type FormatCoding = {
  readonly muxing: readonly string[]
  /** Options for the encoder of pictures that the container needs. */
  readonly videoArgs?: readonly string[]
  /** Options that the container needs so that steady pictures stay steady. */
  readonly steadyArgs?: readonly string[]
  readonly audioCodec: 'aac' | 'libopus' | 'libmp3lame'
  /** For a stereo track; mono takes half. */
  readonly audioKilobits: QualityRange
  readonly maxChannels: number
  readonly needsConstantRate: boolean
  /** The number of samples that the codec adds before the sound, if the container cannot record it. */
  readonly hiddenDelaySamples?: number
}

const quickTimeFamily = {
  audioCodec: 'aac',
  audioKilobits: { atQuality1: 48, atQuality100: 256 },
  maxChannels: 6,
  needsConstantRate: false,
} as const

/** The codecs that players of each container expect. */
const codings: Record<VideoFormat, FormatCoding> = {
  mp4: {
    ...quickTimeFamily,
    muxing: ['-movflags', '+faststart', '-f', 'mp4'],
  },
  mov: {
    ...quickTimeFamily,
    muxing: ['-movflags', '+faststart', '-f', 'mov'],
  },
  webm: {
    muxing: ['-f', 'webm'],
    // Otherwise ffmpeg would leave holes where a steady source has dropped pictures. In MP4 it repeats the one before by itself.
    steadyArgs: ['-fps_mode:v', 'cfr'],
    audioCodec: 'libopus',
    audioKilobits: { atQuality1: 40, atQuality100: 192 },
    maxChannels: 2,
    needsConstantRate: false,
  },
  avi: {
    // Otherwise ffmpeg would delay the picture by a whole frame because of the hidden samples of the sound.
    muxing: ['-avoid_negative_ts', 'disabled', '-f', 'avi'],
    // AVI has no presentation times: pictures are shown in the order in which they are stored.
    videoArgs: ['-bf', '0'],
    audioCodec: 'libmp3lame',
    audioKilobits: { atQuality1: 64, atQuality100: 320 },
    maxChannels: 2,
    needsConstantRate: true,
    // 576 from the encoder and 529 from every decoder.
    hiddenDelaySamples: 1105,
  },
}

/** The last packets may reach beyond the planned end; this limit only stops sources that never end. */
const spareSeconds = 2

export function limitsOf(
  durationSeconds: number,
  { maxOutputBytes }: { readonly maxOutputBytes: number },
): readonly string[] {
  return ['-t', mostWritten(durationSeconds).toFixed(3), '-fs', String(maxOutputBytes)]
}

/** The seconds that are written at most of a film that is to last this long. */
export function mostWritten(durationSeconds: number): number {
  return durationSeconds * 1.01 + spareSeconds
}

export function muxingOf(format: VideoFormat): readonly string[] {
  // Keeps the muxer's name and version out of the file.
  return ['-fflags', '+bitexact', ...codings[format].muxing]
}

export function needsConstantRate(format: VideoFormat): boolean {
  return codings[format].needsConstantRate
}

export function pictureArgsIn(format: VideoFormat, isSteady: boolean): readonly string[] {
  const { videoArgs = [], steadyArgs = [] } = codings[format]
  return isSteady ? [...videoArgs, ...steadyArgs] : videoArgs
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
  return [
    ...['-c:a', audioCodec, '-b:a', `${codedKilobits(format, bits)}k`],
    ...['-ar', String(codedSampleRate(format, sound)), '-ac', String(channels)],
  ]
}

function codedKilobits(format: VideoFormat, bits: number): number {
  const isMp3 = codings[format].audioCodec === 'libmp3lame'
  return isMp3 ? mp3Step(bits / 1000) : Math.round(bits / 1000)
}

/** A sound that is encoded keeps its level. */
export function leveled(
  stream: Stream<'audio'>,
  format: VideoFormat,
  bits: number,
): Stream<'audio'> {
  const isMp3 = codings[format].audioCodec === 'libmp3lame'
  return isMp3 ? levelForMp3(stream, codedKilobits(format, bits)) : stream
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

import type { Output, SoundFormat } from '../../../worker/contract/options/outputs/outputs.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { compileArgs, type CompiledCommand } from '../../graph/compile-args.ts'
import { inputFile, pipeAll, streamOf } from '../../graph/filter-graph.ts'
import { workedFormat } from '../../sound/dsp/pcm.ts'
import { mixedDown } from '../../sound/level/limit-peaks.ts'
import { soundOfOptions } from '../apply-options.ts'
import { excerptOf, isExcerpt, soundBetween } from '../steps/take-excerpt.ts'
import type { RenderCaps, RenderSources } from '../render-sources.ts'
import { limitsOf } from './encoding.ts'
import { levelForMp3 } from './mp3-level.ts'
import { atQuality, type QualityRange } from './picture-codecs.ts'
import type { OutputTrack } from '../../graph/output-track.ts'

type SoundCoding = {
  /** How ffmpeg reads the file that it has written. */
  readonly reading: { readonly demuxer: string; readonly codec: string }
  readonly muxing: readonly string[]
  readonly coding: readonly string[]
  /** Kilobits a second of a stereo sound; absent for lossless codecs. */
  readonly kilobits?: QualityRange
  readonly sampleRate: 'any' | 48_000
  /** Whether players find a picture in the file. */
  readonly hasCover: boolean
}

/** The codec that players of each file expect. */
const codings: Record<SoundFormat, SoundCoding> = {
  mp3: {
    reading: { demuxer: 'mp3', codec: 'mp3' },
    // Older players and cars read no later version of the tags.
    muxing: ['-id3v2_version', '3', '-f', 'mp3'],
    coding: ['-c:a', 'libmp3lame'],
    kilobits: { atQuality1: 48, atQuality100: 256 },
    sampleRate: 'any',
    hasCover: true,
  },
  m4a: {
    reading: { demuxer: 'mov', codec: 'aac' },
    muxing: ['-movflags', '+faststart', '-f', 'ipod'],
    coding: ['-c:a', 'aac'],
    kilobits: { atQuality1: 48, atQuality100: 256 },
    sampleRate: 'any',
    hasCover: true,
  },
  wav: {
    reading: { demuxer: 'wav', codec: 'pcm_s16le' },
    muxing: ['-f', 'wav'],
    coding: ['-c:a', 'pcm_s16le'],
    sampleRate: 'any',
    hasCover: false,
  },
  flac: {
    reading: { demuxer: 'flac', codec: 'flac' },
    muxing: ['-f', 'flac'],
    coding: ['-c:a', 'flac', '-sample_fmt', 's16'],
    sampleRate: 'any',
    hasCover: true,
  },
  ogg: {
    reading: { demuxer: 'ogg', codec: 'opus' },
    muxing: ['-f', 'ogg'],
    coding: ['-c:a', 'libopus'],
    kilobits: { atQuality1: 32, atQuality100: 192 },
    sampleRate: 48_000,
    hasCover: false,
  },
}

export function soundReading(format: SoundFormat): SoundCoding['reading'] {
  return codings[format].reading
}

export function hasCover(format: SoundFormat): boolean {
  return codings[format].hasCover
}

/** The tags of the file; `cover` is the name of a JPEG in the job folder. */
type SoundTags = { readonly title: string; readonly cover: string | undefined }

type SoundPlan = {
  readonly format: SoundFormat
  readonly track: OutputTrack
  readonly channels: number
  readonly durationSeconds: number
  readonly warnings: readonly string[]
}

/** The sound of the film without its pictures; undefined if it has none. */
export function planSoundFile(
  sources: RenderSources,
  options: ProcessingOptions,
  { outputFormat: format, ...asked }: Output & { readonly outputFormat: SoundFormat },
): SoundPlan | undefined {
  const { state, isUntouched } = soundOfOptions(sources, options)
  if (!state.audio) return undefined
  const stored = sources.clips[0].facts.audio
  const sound = isUntouched && stored ? stored : workedFormat
  const channels = Math.min(2, sound.channels)
  const mixed = mixedDown({ stream: state.audio, channels: sound.channels })
  const coding = codings[format]
  const isCommon = sound.sampleRate === 44_100 && coding.sampleRate === 'any'
  const sampleRate = isCommon ? sound.sampleRate : 48_000
  const samples = Math.round(state.durationSeconds * sampleRate)
  // A sound that begins after its picture, has gaps or ends too soon is filled up, and samples that decoders add at its end are
  // cut off: the file lasts as long as the film.
  const whole = pipeAll(mixed, [
    ['aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }],
    ['apad', { whole_len: samples }],
    ['atrim', { end_sample: samples }],
  ])
  const { span, warnings } = momentsOf(asked, state.durationSeconds)
  const part = span ? soundBetween(whole, span) : whole
  const kilobits = kilobitsOf(coding, options.compressionQuality, channels)
  const rate = kilobits === undefined ? [] : ['-b:a', `${kilobits}k`]
  const stream = format === 'mp3' && kilobits !== undefined ? levelForMp3(part, kilobits) : part
  return {
    ...{ format, channels },
    track: {
      stream,
      coding: [...coding.coding, ...rate, '-ar', String(sampleRate), '-ac', String(channels)],
    },
    durationSeconds: span ? span.end - span.start : state.durationSeconds,
    warnings: [...state.warnings, ...warnings],
  }
}

/** The part that is asked for, as finely as sounds are counted. */
function momentsOf(asked: Pick<Output, 'startTime' | 'duration'>, filmSeconds: number) {
  if (!isExcerpt(asked)) return { span: undefined, warnings: [] }
  return excerptOf(asked, filmSeconds, { frames: 48_000, seconds: 1 })
}

/** LAME accepts any rate and chooses the nearest one that MP3 has. */
function kilobitsOf(
  { kilobits }: SoundCoding,
  quality: number,
  channels: number,
): number | undefined {
  return kilobits && Math.round((atQuality(kilobits, quality) * channels) / 2)
}

export function compileSound(
  { format, track, durationSeconds }: SoundPlan,
  path: string,
  caps: RenderCaps,
  { title, cover }: SoundTags,
): CompiledCommand {
  const { muxing } = codings[format]
  return compileArgs({
    tracks: [track, ...(hasCover(format) && cover !== undefined ? [coverTrack(cover)] : [])],
    muxing: [
      ...[...limitsOf(durationSeconds, caps), '-fflags', '+bitexact'],
      ...['-metadata', `title=${title}`, ...muxing],
    ],
    path,
    threads: caps.threads,
    maxPixels: caps.maxPixels,
  })
}

function coverTrack(cover: string): OutputTrack {
  const stream = streamOf(inputFile(cover, 'jpeg_pipe'), 'video', 0)
  return { stream, coding: ['-c:v', 'copy', '-disposition:v', 'attached_pic'] }
}

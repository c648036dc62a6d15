import { compileArgs, type CompiledCommand, type OutputFile } from '../../graph/compile-args.ts'
import { connect, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { sampleCount, workedFormat } from '../../sound/dsp/pcm.ts'
import { mixedDown } from '../../sound/level/limit-peaks.ts'
import { fitSound } from '../../sound/standard-sound.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { describeCuts } from '../../timeline/list-cuts.ts'
import { applyOptions } from '../apply-options.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { steadied } from '../elements/without-gaps.ts'
import { evenPicture } from '../frame/fit-frame.ts'
import { isSameSize } from '../frame/frame-shape.ts'
import { refuseEndless } from '../plan-render.ts'
import type { RenderCaps, RenderSources } from '../render-sources.ts'
import type { RenderOptions, RenderState } from '../render-state.ts'
import { mostBits, type Ladder, type Rung } from './ladder.ts'
import { atQuality } from './picture-codecs.ts'
import { refuseDolbyVisionOnly } from './plan-picture.ts'
import { limitsOf } from './encoding.ts'

/** About how long a segment is: with shorter ones, players ask more often; with longer ones, they change sizes later. */
export const segmentSeconds = 4

/** A film of one size, or the sound of all of them, as one file of fragments. */
type StreamFile = OutputFile & { readonly rung?: Rung }

export type StreamPlan = {
  readonly rungs: Ladder['rungs']
  readonly files: readonly [StreamFile, ...StreamFile[]]
  readonly fps: number
  readonly durationSeconds: number
  /** Options of the run, if pictures before an excerpt are not even read. */
  readonly timing: readonly string[] | undefined
  /** Channels of the sound; 0 without one. */
  readonly channels: number
  readonly steps: readonly string[]
  readonly cuts: ReturnType<typeof describeCuts>
  readonly warnings: readonly string[]
}

/** HLS needs independent pictures at the same times in all sizes, so nothing of a source is copied. */
const copying = { forbidden: 'a stream has its own key pictures' }

/**
 * All sizes of a stream from one graph: the film is decoded, cut, joined and drawn on once, at the largest size, and scaled
 * for the others.
 */
export function planStream(
  sources: RenderSources,
  options: RenderOptions,
  rungs: Ladder['rungs'],
  caps: RenderCaps,
): StreamPlan {
  const { state: drawn, applied } = applyOptions(sources, options, copying)
  refuseEndless(drawn, caps.maxPixels)
  refuseDolbyVisionOnly(drawn.clips)
  const state = { ...drawn, ...steadied(drawn) }
  const fps = fpsOf(state.frameRate)
  const frames = Math.max(1, Math.round(state.durationSeconds * fps))
  const durationSeconds = frames / fps
  const groupPictures = Math.max(1, Math.round(fps * segmentSeconds))
  const pictures = picturesOf(state, rungs)
  const encoder = encoderFor(rungs, caps.threads)
  const films = rungs.map((rung, i): StreamFile => {
    const stream = pictures[i]
    if (!stream) throw new Error('A size of a stream without its picture')
    const rate = rateOf(options.compressionQuality, mostBits(rung, fps, sourceOf(sources)))
    const coding = [...pictureCoding(groupPictures), ...encoder, ...rate]
    return { rung, path: `v${rung.name}.mp4`, tracks: [{ stream, coding }], muxing: filmMuxing }
  })
  const sound = planSound(state, options, durationSeconds)
  const [first, ...others] = [...films, ...(sound ? [sound.file] : [])]
  if (!first) throw new Error('A stream without sizes')
  return {
    ...{ rungs, fps, durationSeconds, timing: state.excerpt?.timing },
    files: [first, ...others],
    channels: sound?.channels ?? 0,
    steps: applied,
    cuts: describeCuts(state),
    warnings: state.warnings,
  }
}

/** The facts of the first clip tell how many bits the pictures had; other clips hardly differ. */
function sourceOf({ clips: [{ facts }] }: RenderSources) {
  return facts.video
}

/** The pictures of each size. Only the largest is drawn on. */
function picturesOf(state: RenderState, rungs: readonly Rung[]): Stream<'video'>[] {
  const { frame, colorMatrix } = state
  const { video: whole } = evenPicture(state)
  const copies =
    rungs.length === 1
      ? [whole]
      : connect(
          'split',
          [whole],
          rungs.map(() => 'video' as const),
          { outputs: rungs.length },
        )
  return copies.map((copy, i) => {
    const rung = rungs[i] ?? frame
    if (isSameSize(rung, frame)) return copy
    const { width: w, height: h } = rung
    return tagMatrix(
      pipeAll(copy, [
        ['scale', { w, h, flags: 'bicubic' }],
        ['setsar', { sar: 1 }],
      ]),
      colorMatrix,
    )
  })
}

export const soundName = 'audio.mp4'

/** Networks carry nothing better than this, and a viewer would not see that a source was better. */
const crf = { atQuality1: 44, atQuality100: 19 }

/** The requested quality, as long as it takes no more bits than the size may. */
function rateOf(quality: number, bits: number): string[] {
  return [
    '-crf',
    atQuality(crf, quality).toFixed(3),
    '-maxrate',
    String(bits),
    '-bufsize',
    String(bits * 2),
  ]
}

/**
 * All sizes are encoded at once, and with its usual lookahead x264 takes about 150 bytes for each pixel of each. A ladder of 4K
 * with 1440 and all smaller sizes has fewer pixels than this.
 */
const largeLadderPixels = 17_000_000

/** With a short lookahead six sizes near 4K take 2.2 GB, in place of more than one ffmpeg may. */
export function encoderFor(rungs: readonly Rung[], threads: number): string[] {
  const pixels = rungs.reduce((sum, { width, height }) => sum + width * height, 0)
  return pixels > largeLadderPixels
    ? [
        '-x264-params',
        'rc-lookahead=5:sync-lookahead=0:ref=1',
        '-threads',
        String(Math.min(threads, 2)),
      ]
    : ['-threads', String(threads)]
}

function pictureCoding(group: number): string[] {
  return [
    ...['-c:v', 'libx264', '-preset', 'fast', '-profile:v', 'high'],
    // No key picture but at the beginning of a segment, and no picture that refers beyond one.
    ...['-g', String(group), '-keyint_min', String(group), '-sc_threshold', '0', '-flags', '+cgop'],
    ...['-a53cc', '0', '-pix_fmt', 'yuv420p', '-color_range', 'tv'],
  ]
}

/** A fragment begins with each key picture. The list of edits says that decoding begins before the first picture. */
const filmMuxing = muxingWith('frag_keyframe+delay_moov+default_base_moof', [])

/** Short enough that fragments of sound, taken together, begin near those of the picture. */
const soundFragmentSeconds = 0.5

const soundMuxing = muxingWith('empty_moov+default_base_moof', [
  ...['-frag_duration', String(soundFragmentSeconds * 1e6)],
  ...['-use_editlist', '0', '-avoid_negative_ts', 'make_zero'],
])

function muxingWith(flags: string, more: readonly string[]): string[] {
  // Keeps the muxer's name and version out of the file.
  return ['-fflags', '+bitexact', '-movflags', flags, ...more, '-brand', 'iso6', '-f', 'mp4']
}

/** Samples that AAC adds before the sound: those of one packet. */
const delaySamples = 1024
const soundKilobits = { atQuality1: 64, atQuality100: 160 }

/**
 * One sound for all sizes, exactly as long as the pictures. Players disagree about what is skipped before a sound, so
 * nothing is: the samples that AAC adds take the place of the first ones, and the others are in time.
 */
function planSound(
  { audio, clips: [clip], excerpt }: RenderState,
  { compressionQuality: quality }: RenderOptions,
  seconds: number,
) {
  if (!audio) return undefined
  const isOwn = audio === clip?.audio || excerpt?.hasOwnSound === true
  const { channels } = (isOwn ? clip?.facts.audio : undefined) ?? workedFormat
  const samples = sampleCount(seconds)
  const mixed = mixedDown({ stream: audio, channels })
  const whole = fitSound({ stream: mixed, channels: Math.min(2, channels) }, samples)
  const stream = pipeAll(whole, [
    ['atrim', { start_sample: delaySamples }],
    ['asetpts', { expr: 'PTS-STARTPTS' }],
  ])
  const kilobits = Math.round(atQuality(soundKilobits, quality))
  const rate = ['-ar', String(workedFormat.sampleRate), '-ac', '2']
  const coding = ['-c:a', 'aac', '-b:a', `${kilobits}k`, ...rate]
  return {
    file: { path: soundName, tracks: [{ stream, coding }], muxing: soundMuxing },
    channels: 2,
  }
}

/** `stem`: before the names of all files, because a job may make several streams. */
export function compileStream(
  { files: [first, ...others], durationSeconds, timing }: StreamPlan,
  stem: string,
  caps: RenderCaps,
): CompiledCommand {
  const limited = (file: StreamFile): OutputFile => ({
    ...file,
    path: `${stem}${file.path}`,
    muxing: [...limitsOf(durationSeconds, caps), ...file.muxing],
  })
  const { threads, maxPixels } = caps
  const beside = others.map(limited)
  return compileArgs({ ...limited(first), beside, ...(timing && { timing }), threads, maxPixels })
}

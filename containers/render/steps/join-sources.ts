import type { ProcessingOptions } from '../../../worker/contract/options.ts'
import { connect, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, rateText, type FrameRate } from '../../timeline/frame-rate.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { joinedSound } from '../../sound/sound-graph.ts'
import { fitFrame } from '../fit-frame.ts'
import { evenFloor, frameFor, type AskedShape, type Size } from '../frame-shape.ts'
import { standardMatrix } from '../standard-picture.ts'
import { paintBars } from '../paint-bars.ts'
import { clippingCeilingDb } from '../../sound/limit-peaks.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import type { Clip } from '../../timeline/clip.ts'
import { matrixTags } from '../limited-yuv.ts'
import { fitSound, soundOf } from '../../sound/standard-sound.ts'
import { timelineOf } from '../../timeline/timeline.ts'

const sampleRate = 48_000

type JoinedClip = Clip<never>
type Asked = Pick<ProcessingOptions, 'aspectRatio' | 'resizeMode' | 'backgroundColor'>
type Frame = Size & {
  readonly frameRate: FrameRate
  readonly colorMatrix: ColorMatrix
  readonly resizeMode: ProcessingOptions['resizeMode']
  readonly backgroundColor: string
}

/**
 * Several files become one timeline: the first clip's size, or the shape asked for, its steady rate, 48 kHz stereo.
 * Every clip is brought to whole frames, its picture held or its sound filled up where the other is longer, so that
 * nothing drifts over many joins.
 */
export const joinSources = renderStep({
  name: 'join-sources',
  reads: ['combine', 'aspectRatio', 'resizeMode', 'backgroundColor'],
  apply(state, options) {
    if (state.clips.length === 1) return state
    if (state.row) return inRow(state, state.row)
    const size = sizeOfJoined(state, options)
    const frame = { ...size, ...lookOf(options), ...ratesOf(state) }
    const { clipFrames, totalFrames } = timelineOf(state.clips)
    return {
      ...state,
      ...size,
      ...(state.sound
        ? { video: joinPictures(state.clips, clipFrames, frame) }
        : joinStreams(state.clips, clipFrames, frame)),
      averageFps: fpsOf(frame.frameRate),
      hasConstantRate: true,
      hasGaps: false,
      ceilingDb: state.ceilingDb ?? (hasDownmix(state.clips) ? clippingCeilingDb : undefined),
      durationSeconds: totalFrames / fpsOf(frame.frameRate),
    }
  },
})

/** Each picture comes at its own time, and the sound is joined to the sample as it always is. */
function inRow(state: RenderState<never>, row: Stream<'video'>): RenderState<never> {
  const timeline = timelineOf(state.clips)
  const isHeard = state.clips.some((clip) => soundOf(clip) !== undefined)
  const joined = isHeard ? joinedSound(state.clips, timeline) : undefined
  return {
    ...state,
    video: row,
    audio: state.sound ? state.audio : joined,
    hasConstantRate: false,
    ceilingDb: state.ceilingDb ?? (hasDownmix(state.clips) ? clippingCeilingDb : undefined),
    durationSeconds: timeline.totalFrames / fpsOf(timeline.frameRate),
  }
}

/** Clips of one size are shaped together, once joined; others each by itself, so that none has bars within bars. */
function sizeOfJoined(state: RenderState<never>, asked: AskedShape): Size {
  const isOneSize = state.clips.every(
    ({ facts: { video } }) => video.width === state.width && video.height === state.height,
  )
  return isOneSize ? evenFloor(state) : frameFor(state, asked)
}

/** Nobody asked for a shape: then nothing of a clip is lost. */
function lookOf({ aspectRatio, resizeMode, backgroundColor }: Asked) {
  return {
    backgroundColor,
    resizeMode: aspectRatio === 'original' ? 'contain' : resizeMode,
  } as const
}

function ratesOf({ frameRate, colorMatrix }: RenderState<never>) {
  return { frameRate, colorMatrix }
}

/** More than two channels mixed into two may sum up to too much. */
function hasDownmix(clips: readonly JoinedClip[]): boolean {
  return clips.some((clip) => (soundOf(clip)?.channels ?? 0) > 2)
}

function joinStreams(
  clips: readonly JoinedClip[],
  frames: readonly number[],
  frame: Frame,
): { video: Stream<'video'>; audio: Stream<'audio'> | undefined } {
  if (clips.every((clip) => soundOf(clip) === undefined)) {
    return { video: joinPictures(clips, frames, frame), audio: undefined }
  }
  const pictures = clips.map((clip, i) => fitPicture(clip, frame, frames[i] ?? 1))
  const secondsPerFrame = 1 / fpsOf(frame.frameRate)
  const sounds = clips.map((clip, i) =>
    fitSound(soundOf(clip), Math.round((frames[i] ?? 1) * secondsPerFrame * sampleRate)),
  )
  const pads = pictures.flatMap((picture, i) => [picture, ...sounds.slice(i, i + 1)])
  const [video, audio] = connect('concat', pads, ['video', 'audio'], {
    n: clips.length,
    v: 1,
    a: 1,
  })
  return { video, audio }
}

function joinPictures(
  clips: readonly JoinedClip[],
  frames: readonly number[],
  frame: Frame,
): Stream<'video'> {
  const pictures = clips.map((clip, i) => fitPicture(clip, frame, frames[i] ?? 1))
  const [video] = connect('concat', pictures, ['video'], { n: clips.length, v: 1, a: 0 })
  return video
}

function fitPicture(clip: JoinedClip, frame: Frame, frames: number): Stream<'video'> {
  const fitted = fitFrame(clip.video, clip.facts.video, frame)
  const standard = pipeAll(fitted.video, [
    ['setsar', { sar: 1 }],
    ...(standardMatrix(clip.facts.video) === frame.colorMatrix
      ? []
      : ([
          ['scale', { out_color_matrix: frame.colorMatrix }],
          ['setparams', { colorspace: matrixTags[frame.colorMatrix] }],
        ] as const)),
    ['format', { pix_fmts: 'yuv420p' }],
  ])
  const { backgroundColor, colorMatrix } = frame
  const coloured =
    backgroundColor === '#000000'
      ? standard
      : paintBars(standard, fitted.picture, frame, backgroundColor, colorMatrix)
  return pipeAll(coloured, [
    // From the start of the file: a picture that begins after its sound shows its first frame meanwhile.
    ['fps', { fps: rateText(frame.frameRate), start_time: 0 }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
    ['trim', { end_frame: frames }],
    ['setpts', { expr: 'PTS-STARTPTS' }],
  ])
}

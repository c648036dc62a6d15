import { connect, pipeAll, type Stream } from '../../ffmpeg/filter-graph.ts'
import { fpsOf, rateText, type FrameRate } from '../../ffmpeg/frame-rate.ts'
import type { ColorMatrix } from '../../ffmpeg/media-facts.ts'
import { standardMatrix } from '../open-clip.ts'
import { clippingCeilingDb } from '../limit-peaks.ts'
import { renderStep, type Clip } from '../render-state.ts'
import { matrixTags } from '../limited-yuv.ts'
import { fitSound, soundOf } from '../standard-sound.ts'
import { timelineOf } from '../timeline.ts'

const sampleRate = 48_000

type JoinedClip = Clip<'disableAudio'>
type Frame = { width: number; height: number; frameRate: FrameRate; colorMatrix: ColorMatrix }

/**
 * Several files become one timeline: the first clip's size and steady rate, 48 kHz stereo. Every clip is cut or
 * stretched to whole frames, picture and sound alike, so that nothing drifts over many joins.
 */
export const joinSources = renderStep({
  name: 'join-sources',
  reads: ['combine'],
  readsOfInputs: ['disableAudio'],
  apply(state) {
    const [first, ...others] = state.clips
    if (!first) return state
    if (others.length === 0)
      return first.asked.disableAudio ? { ...state, audio: undefined } : state
    const frame = {
      width: evenSize(state.width),
      height: evenSize(state.height),
      frameRate: state.frameRate,
      colorMatrix: state.colorMatrix,
    }
    const { clipFrames, totalFrames } = timelineOf(state.clips)
    return {
      ...state,
      ...frame,
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
  return pipeAll(clip.video, [
    ...letterbox(clip.facts.video, frame),
    ['setsar', { sar: 1 }],
    ...(standardMatrix(clip.facts.video) === frame.colorMatrix
      ? []
      : ([
          ['scale', { out_color_matrix: frame.colorMatrix }],
          ['setparams', { colorspace: matrixTags[frame.colorMatrix] }],
        ] as const)),
    ['format', { pix_fmts: 'yuv420p' }],
    // From the start of the file: a picture that begins after its sound shows its first frame meanwhile.
    ['fps', { fps: rateText(frame.frameRate), start_time: 0 }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
    ['trim', { end_frame: frames }],
    ['setpts', { expr: 'PTS-STARTPTS' }],
  ])
}

type Size = { width: number; height: number }

/** The whole picture, as large as fits, on black. */
function letterbox(clip: Size, frame: Size): Parameters<typeof pipeAll>[1][number][] {
  if (clip.width === frame.width && clip.height === frame.height) return []
  const factor = Math.min(frame.width / clip.width, frame.height / clip.height)
  const w = Math.min(frame.width, nearestEven(clip.width * factor))
  const h = Math.min(frame.height, nearestEven(clip.height * factor))
  const scale = ['scale', { w, h, flags: 'bicubic' }] as const
  if (w === frame.width && h === frame.height) return [scale]
  const x = evenOffset((frame.width - w) / 2)
  const y = evenOffset((frame.height - h) / 2)
  return [scale, ['pad', { w: frame.width, h: frame.height, x, y, color: 'black' }]]
}

function evenSize(pixels: number): number {
  return Math.max(2, pixels - (pixels % 2))
}

function nearestEven(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2)
}

function evenOffset(pixels: number): number {
  return Math.floor(pixels / 2) * 2
}

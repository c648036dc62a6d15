import { connect, generate, pipeAll, type Stream } from '../../ffmpeg/filter-graph.ts'
import { fpsOf, rateText, type FrameRate } from '../../ffmpeg/frame-rate.ts'
import { renderStep, type Clip } from '../render-state.ts'

const sampleRate = 48_000

type JoinedClip = Clip<'disableAudio'>
type Frame = { width: number; height: number; frameRate: FrameRate }

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
    }
    const frames = state.clips.map((clip) =>
      Math.max(1, Math.round(clip.facts.video.endSeconds * fpsOf(frame.frameRate))),
    )
    const totalFrames = frames.reduce((sum, count) => sum + count, 0)
    return {
      ...state,
      ...frame,
      ...joinStreams(state.clips, frames, frame),
      averageFps: fpsOf(frame.frameRate),
      hasConstantRate: true,
      durationSeconds: totalFrames / fpsOf(frame.frameRate),
    }
  },
})

function joinStreams(
  clips: readonly JoinedClip[],
  frames: readonly number[],
  frame: Frame,
): { video: Stream<'video'>; audio: Stream<'audio'> | undefined } {
  const pictures = clips.map((clip, i) => fitPicture(clip, frame, frames[i] ?? 1))
  if (clips.every((clip) => soundOf(clip) === undefined)) {
    const [video] = connect('concat', pictures, ['video'], { n: clips.length, v: 1, a: 0 })
    return { video, audio: undefined }
  }
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

function soundOf(clip: JoinedClip): Stream<'audio'> | undefined {
  return clip.asked.disableAudio ? undefined : clip.audio
}

function fitPicture(clip: JoinedClip, frame: Frame, frames: number): Stream<'video'> {
  return pipeAll(clip.video, [
    ...letterbox(clip.facts.video, frame),
    ['setsar', { sar: 1 }],
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

function fitSound(sound: Stream<'audio'> | undefined, samples: number): Stream<'audio'> {
  const silence = (): Stream<'audio'> =>
    generate('audio', 'anullsrc', { channel_layout: 'stereo', sample_rate: sampleRate })
  const even = sound
    ? pipeAll(sound, [
        // Holes in the sound are filled, so that it stays beside its picture.
        ['aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }],
        ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }],
        ['apad', { whole_len: samples }],
      ])
    : pipeAll(silence(), [['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }]])
  return pipeAll(even, [
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'N/SR/TB' }],
  ])
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

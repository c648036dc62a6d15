import { connect, pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import { joinedSeconds } from '../../timeline/timeline.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { joinedSound } from '../../sound/sound-graph.ts'
import { factsAtRate } from '../elements/without-gaps.ts'
import { fitFrame, paintAround, type Frame } from '../frame/fit-frame.ts'
import { steadyPictures } from '../frame/steady-pictures.ts'
import { standardMatrix } from '../color/standard-picture.ts'
import type { Clip } from '../../timeline/clip.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { matrixTags } from '../color/limited-yuv.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { soundOf } from '../../sound/standard-sound.ts'

type JoinedClip = Clip<'fit'>
type ClipJoint = {
  readonly frame: Frame
  readonly frameRate: FrameRate
  readonly colorMatrix: ColorMatrix
}

/**
 * Joins several files into one timeline: in the frame of the result, at the first clip's steady rate, with 48 kHz
 * stereo. Every clip gets a whole number of frames; its last picture is held or its sound padded if the other is
 * longer, so that nothing drifts over many joins.
 */
export const joinSources = renderStep({
  name: 'join-sources',
  reads: ['combine', 'audio'],
  readsOfInputs: ['fit'],
  apply(state, { audio: { mute = false } = {} }) {
    if (state.clips.length === 1) return state
    const { clips, timeline, frame, frameRate } = state
    const stored = state.row ?? state.cut
    const isHeardAsIs = state.sound !== undefined || state.isReplaced || (mute && !stored)
    const joined = {
      ...state,
      audio: isHeardAsIs ? state.audio : joinedOf(state),
      durationSeconds: joinedSeconds(timeline),
    }
    // Each stored picture keeps its own time.
    if (stored) return { ...joined, video: stored, hasConstantRate: false }
    return {
      ...{ ...joined, ...factsAtRate(frameRate), width: frame.width, height: frame.height },
      warnings: [...state.warnings, ...slowedDown(state)],
      // Apart from the sound, because some results need only one of the two, and pictures may be read elsewhere.
      video: joinPictures(clips, timeline.clipFrames, state),
    }
  },
})

/** A clip with this many times the pictures of the result clearly moves less smoothly in it. */
const noticed = 1.5

function slowedDown({ clips, frameRate }: RenderState<'fit'>): string[] {
  const [own, rates] = [fpsOf(frameRate), clips.map(({ facts }) => facts.video.averageFps)]
  const most = Math.max(...rates)
  if (most < noticed * own) return []
  const file = `files[${rates.indexOf(most)}]`
  const [has, left] = [most, own].map(thousandths)
  return [
    `combine: ${file} has ${has} pictures a second, and the result has ${left}, as its first video: the others are left out.`,
  ]
}

function joinedOf({ clips, timeline }: RenderState<'fit'>): Stream<'audio'> | undefined {
  const isHeard = clips.some((clip) => soundOf(clip) !== undefined)
  return isHeard ? joinedSound(clips, timeline) : undefined
}

function joinPictures(
  clips: readonly JoinedClip[],
  frames: readonly number[],
  joint: ClipJoint,
): Stream<'video'> {
  const pictures = clips.map((clip, i) => fitPicture(clip, joint, frames[i] ?? 1))
  const [video] = connect('concat', pictures, ['video'], { n: clips.length, v: 1, a: 0 })
  return video
}

function fitPicture(clip: JoinedClip, joint: ClipJoint, frames: number): Stream<'video'> {
  const { frame, frameRate, colorMatrix } = joint
  const { width, height } = clip.facts.video
  const own = { ...frame, resizeMode: clip.asked.fit ?? frame.resizeMode }
  const fitted = fitFrame({ video: clip.video, width, height }, own)
  const standard = pipeAll(fitted.video, [
    ['setsar', { sar: 1 }],
    ...(standardMatrix(clip.facts.video) === colorMatrix
      ? []
      : ([
          ['scale', { out_color_matrix: colorMatrix }],
          ['setparams', { colorspace: matrixTags[colorMatrix] }],
        ] as const)),
    ['format', { pix_fmts: 'yuv420p' }],
  ])
  const painted = paintAround({ ...fitted, video: standard }, frame, colorMatrix)
  return pipe(steadyPictures(painted, frameRate, frames), 'setpts', { expr: 'PTS-STARTPTS' })
}

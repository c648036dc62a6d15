import { pipe, type Stream } from '../../graph/filter-graph.ts'
import { fileCuts } from '../../timeline/cut-list.ts'
import { blendJoints, uprightForm } from '../../timeline/blend-joints.ts'
import { placedJoints } from '../../timeline/joints.ts'
import { filledAtRate } from '../frame/steady-pictures.ts'
import { outsideWarnings } from '../outside-warnings.ts'
import { limitedYuv } from '../color/limited-yuv.ts'
import { factsAtRate } from '../elements/without-gaps.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { secondsKept } from '../../timeline/list-cuts.ts'

/**
 * Cuts segments and silences, and lets what is left lead into each other. The picture first gets a steady rate, so that frame numbers are times. The sound was cut
 * by the same list when it was prepared; here only videos without sound are cut without it.
 */
export const cutSegments = renderStep({
  name: 'cut-segments',
  reads: ['removeSegments', 'keepSegments', 'trim', 'removeSilence', 'cutTransition'],
  readsOfInputs: ['removeSegments', 'keepSegments', 'transition'],
  apply(state, { removeSilence, ...whole }) {
    const { clips, timeline, removed, joints } = state
    const isDeaf = removeSilence && state.sound === undefined && !state.isReplaced
    const removedOfFiles = fileCuts(timeline, clips)
    const warnings = [
      ...state.warnings,
      ...outsideWarnings(timeline, { clips, whole, removedOfFiles }),
      ...(isDeaf ? ['removeSilence: the video has no sound.'] : []),
    ]
    if (removed.all.length + joints.length === 0) return { ...state, warnings }
    const cut = { ...state, durationSeconds: secondsKept(state), warnings }
    // Pictures that are cut as they are stored keep their own times.
    if (state.cut) return { ...cut, video: state.cut }
    return { ...cut, ...factsAtRate(timeline.frameRate), video: cutPicture(state.video, state) }
  },
})

type CutState = Pick<RenderState, 'timeline' | 'removed' | 'joints' | 'colorMatrix'>

// Rounded, because the filter drops the fraction, and 3.9999 ticks are the time of the picture before.
const numbered = 'round(N/FRAME_RATE/TB)'

function cutPicture(
  picture: Stream<'video'>,
  { timeline, removed: { all }, joints, colorMatrix }: CutState,
): Stream<'video'> {
  const { clipFrames, frameRate, totalFrames } = timeline
  const last = all.at(-1)
  // Stops reading there, instead of decoding pictures that are not shown.
  const end = last?.to === totalFrames ? last.from : totalFrames
  const isJoined = clipFrames.length > 1
  const steady = isJoined ? picture : filledAtRate(picture, frameRate, totalFrames)
  const ended = pipe(steady, 'trim', { end_frame: end })
  return blendJoints(ended, {
    form: { ...uprightForm, colorOf: (color) => limitedYuv(color, colorMatrix) },
    ...{ removed: all, totalFrames, rate: frameRate, numbered },
    joints: placedJoints({ timeline, removed: { all }, joints }),
  })
}

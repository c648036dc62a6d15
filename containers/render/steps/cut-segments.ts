import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, rateText } from '../../timeline/frame-rate.ts'
import { fileCuts } from '../../timeline/cut-list.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { keepExpression } from '../../timeline/keep-expression.ts'
import { outsideWarnings } from '../outside-warnings.ts'
import { renderStep } from '../render-state.ts'
import { secondsKept } from '../../timeline/list-cuts.ts'
import type { Timeline } from '../../timeline/timeline.ts'

/**
 * Cuts segments and silences. The picture first gets a steady rate, so that frame numbers are times. The sound was cut
 * by the same list when it was prepared; here only videos without sound are cut without it.
 */
export const cutSegments = renderStep({
  name: 'cut-segments',
  reads: ['removeSegments', 'keepSegments', 'trim', 'removeSilence'],
  readsOfInputs: ['removeSegments', 'keepSegments'],
  apply(state, { removeSilence, ...whole }) {
    const { clips, timeline, removed } = state
    const isDeaf = removeSilence && state.sound === undefined
    const asked = clips.map((clip) => clip.asked)
    const removedOfFiles = fileCuts(timeline, asked)
    const warnings = [
      ...state.warnings,
      ...outsideWarnings(timeline, { clips, whole, removedOfFiles }),
      ...(isDeaf ? ['removeSilence: the video has no sound.'] : []),
    ]
    if (removed.all.length === 0) return { ...state, warnings }
    const { frameRate } = timeline
    const cut = { ...state, durationSeconds: secondsKept(state), warnings }
    // Pictures that are cut as they are stored keep their own times.
    if (state.cut) return { ...cut, video: state.cut }
    return {
      ...cut,
      video: cutPicture(state.video, timeline, removed.all),
      frameRate,
      averageFps: fpsOf(frameRate),
      hasConstantRate: true,
      hasGaps: false,
      isOutlasted: false,
    }
  },
})

function cutPicture(
  picture: Stream<'video'>,
  { clipFrames, frameRate, totalFrames }: Timeline,
  removed: readonly FrameSpan[],
): Stream<'video'> {
  const last = removed.at(-1)
  // Stops reading there, instead of decoding what nobody sees.
  const end = last?.to === totalFrames ? last.from : totalFrames
  const isJoined = clipFrames.length > 1
  const steady = isJoined
    ? picture
    : pipeAll(picture, [
        ['fps', { fps: rateText(frameRate), start_time: 0 }],
        ['tpad', { stop_mode: 'clone', stop: totalFrames }],
      ])
  return pipeAll(steady, [
    ['trim', { end_frame: end }],
    ['select', { expr: keepExpression(removed) }],
    // Rounded, because the filter drops the fraction, and 3.9999 ticks are the time of the picture before.
    ['setpts', { expr: 'round(N/FRAME_RATE/TB)' }],
  ])
}

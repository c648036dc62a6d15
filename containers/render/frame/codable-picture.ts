import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, maxFrameRate, rateText } from '../../timeline/frame-rate.ts'
import { needsConstantRate } from '../output/encoding.ts'
import { isSameSize } from './frame-shape.ts'
import type { RenderState } from '../render-state.ts'

export type CodablePicture = { stream: Stream<'video'>; hasConstantRate: boolean }

/**
 * Gives the picture even sides, and a steady rate if the container needs one or the source has absurdly many pictures.
 */
export function codablePicture(state: RenderState, format: VideoFormat): CodablePicture {
  const { width: w, height: h } = state.frame
  const isEven = isSameSize(state, state.frame)
  const even = isEven ? state.video : pipe(state.video, 'crop', { w, h, x: 0, y: 0 })
  const isTooFast = state.averageFps > maxFrameRate + 1
  if (isTooFast || needsConstantRate(format)) {
    return { stream: steadied(even, state), hasConstantRate: true }
  }
  return { stream: even, hasConstantRate: state.hasConstantRate }
}

/**
 * A picture that begins late shows its first frame until then; in AVI only repeated frames can do that. The frames are
 * counted, because the output of `overlay` does not say how long its last picture lasts, and that picture would be
 * dropped.
 */
function steadied(picture: Stream<'video'>, state: RenderState): Stream<'video'> {
  const { frameRate } = state
  const frames = Math.max(1, Math.round(pictureSeconds(state) * fpsOf(frameRate)))
  return pipeAll(picture, [
    ['fps', { fps: rateText(frameRate), start_time: 0 }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
    ['trim', { end_frame: frames }],
  ])
}

/** After a join or a cut the length is in whole pictures; otherwise the picture may end before the sound. */
function pictureSeconds({ clips, removed, durationSeconds }: RenderState): number {
  const [first] = clips
  const isWhole = clips.length === 1 && removed.all.length === 0
  return isWhole && first ? first.facts.video.endSeconds : durationSeconds
}

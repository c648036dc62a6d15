import { pipeAll } from '../graph/filter-graph.ts'
import { fpsOf, rateText } from '../timeline/frame-rate.ts'
import type { RenderState } from './render-state.ts'

/** What lies on a picture may move, appear and vanish while the picture below it stands still. */
export function withoutGaps(state: RenderState<never>): RenderState<never> {
  if (!state.hasGaps) return state
  const { frameRate, durationSeconds } = state
  const frames = Math.max(1, Math.round(durationSeconds * fpsOf(frameRate)))
  const video = pipeAll(state.video, [
    ['fps', { fps: rateText(frameRate), start_time: 0 }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
    ['trim', { end_frame: frames }],
  ])
  const averageFps = fpsOf(frameRate)
  return { ...state, video, averageFps, hasConstantRate: true, hasGaps: false }
}

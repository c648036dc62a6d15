import { pipe } from '../../graph/filter-graph.ts'
import { fitFrame, paintAround } from '../frame/fit-frame.ts'
import { askedRatio, evenFloor, frameFor, isSameSize } from '../frame/frame-shape.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { tagMatrix } from '../color/limited-yuv.ts'

/** Decides the shape of the frame, and fits a single clip into it; the join has fitted several. */
export const resize = renderStep({
  name: 'resize',
  reads: ['aspectRatio', 'resizeMode', 'backgroundColor'],
  frame(frame, { aspectRatio, resizeMode, backgroundColor }) {
    // No shape was asked for, so nothing of a clip may be lost.
    if (aspectRatio === 'original') return { ...frame, resizeMode: 'contain', backgroundColor }
    const size = frameFor(frame, { aspectRatio, resizeMode })
    return { ...size, resizeMode, backgroundColor }
  },
  apply(state, { aspectRatio }) {
    const { frame, colorMatrix } = state
    if (isSameSize(evenFloor(state), frame)) {
      return askedRatio(aspectRatio) === undefined ? state : withSquarePixels(state)
    }
    const fitted = fitFrame(state, frame)
    const square = pipe(fitted.video, 'setsar', { sar: 1 })
    const tagged = tagMatrix(square, colorMatrix)
    const video = paintAround({ ...fitted, video: tagged }, frame, colorMatrix)
    return { ...state, width: frame.width, height: frame.height, video }
  },
})

/** A copy would keep its stretched pixels, and players that ignore them would show the wrong shape. */
function withSquarePixels(state: RenderState): RenderState {
  if (state.clips.every(({ facts }) => facts.video.hasSquarePixels)) return state
  return { ...state, video: pipe(state.video, 'setsar', { sar: 1 }) }
}

import { pipe } from '../../graph/filter-graph.ts'
import { fitFrame, paintAround, type Frame } from '../frame/fit-frame.ts'
import { askedRatio, evenFloor, exactFrame, frameFor, isSameSize } from '../frame/frame-shape.ts'
import { renderStep, type RenderState } from '../render-state.ts'
import { tagMatrix } from '../color/limited-yuv.ts'

/** Decides the shape and the size of the frame, and fits a single clip into it; the join has fitted several. */
export const resize = renderStep({
  name: 'resize',
  reads: ['aspectRatio', 'resizeMode', 'backgroundColor', 'width', 'height'],
  readsOfInputs: ['fit'],
  frame(frame, { aspectRatio, resizeMode, backgroundColor, width, height }) {
    // Two sides already define a shape, whatever else was requested.
    if (width !== undefined && height !== undefined) {
      return { width, height, resizeMode, backgroundColor }
    }
    const isAsIs = aspectRatio === 'original'
    const size = isAsIs ? frame : frameFor(frame, { aspectRatio, resizeMode })
    // No shape was asked for, so nothing of a clip may be lost.
    const mode = isAsIs ? 'contain' : resizeMode
    return { ...exactFrame(size, { width, height }), resizeMode: mode, backgroundColor }
  },
  apply(before, { aspectRatio, width, height }) {
    const isExact = (width ?? height) !== undefined
    const state = isExact ? withUpscaleWarning(before) : before
    const { frame, colorMatrix } = state
    if (isSameSize(evenFloor(state), frame)) {
      const isShaped = isExact || askedRatio(aspectRatio) !== undefined
      return isShaped ? withSquarePixels(state) : state
    }
    // Several clips were fitted when they were joined.
    const fit = state.clips[0]?.asked.fit ?? frame.resizeMode
    const fitted = fitFrame(state, { ...frame, resizeMode: fit })
    const square = pipe(fitted.video, 'setsar', { sar: 1 })
    const tagged = tagMatrix(square, colorMatrix)
    const video = paintAround({ ...fitted, video: tagged }, frame, colorMatrix)
    return { ...state, width: frame.width, height: frame.height, video }
  },
})

/** A copy would keep its stretched pixels, and players that ignore them would show the wrong shape. */
function withSquarePixels(state: RenderState<'fit'>): RenderState<'fit'> {
  if (state.clips.every(({ facts }) => facts.video.hasSquarePixels)) return state
  return { ...state, video: pipe(state.video, 'setsar', { sar: 1 }) }
}

/** A larger picture than the largest source has no more detail. */
function withUpscaleWarning(state: RenderState<'fit'>): RenderState<'fit'> {
  const { frame, clips } = state
  if (!clips.every(({ facts }) => isUpscaled(facts.video, frame))) return state
  const warning = `width and height: ${frame.width} × ${frame.height} is larger than the source, which adds bytes and no detail.`
  return { ...state, warnings: [...state.warnings, warning] }
}

function isUpscaled(picture: { width: number; height: number }, frame: Frame): boolean {
  const isWider = frame.width > picture.width
  const isTaller = frame.height > picture.height
  return frame.resizeMode === 'contain' ? isWider && isTaller : isWider || isTaller
}

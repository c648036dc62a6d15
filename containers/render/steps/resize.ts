import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { matrixTags } from '../limited-yuv.ts'
import {
  around,
  askedRatio,
  evenFloor,
  evenFloorOf,
  fit,
  isAlready,
  within,
  type Size,
} from '../frame-shape.ts'
import { paintBars } from '../paint-bars.ts'
import { renderStep, type RenderState } from '../render-state.ts'

/**
 * Brings the picture to another shape. Cover and stretch end within the picture and contain around it, so that no pixel
 * is ever enlarged.
 */
export const resize = renderStep({
  name: 'resize',
  reads: ['aspectRatio', 'resizeMode', 'backgroundColor'],
  apply(state, { aspectRatio, resizeMode, backgroundColor }) {
    const ratio = askedRatio(aspectRatio)
    if (ratio === undefined) return state
    if (isAlready(ratio, state)) return withSquarePixels(state)
    switch (resizeMode) {
      case 'cover':
        return cover(state, within(evenFloor(state), ratio))
      case 'stretch':
        return stretch(state, within(evenFloor(state), ratio))
      case 'contain':
        return contain(state, ratio, backgroundColor)
    }
  },
})

/** A copy would keep its stretched pixels: the right shape where players know them, and not by its width and height. */
function withSquarePixels(state: RenderState): RenderState {
  if (state.clips.every(({ facts }) => facts.video.hasSquarePixels)) return state
  return { ...state, video: pipe(state.video, 'setsar', { sar: 1 }) }
}

function cover(state: RenderState, { width, height }: Size): RenderState {
  const x = evenFloorOf((state.width - width) / 2)
  const y = evenFloorOf((state.height - height) / 2)
  return { ...state, width, height, video: cropTo(state.video, { x, y, width, height }) }
}

function stretch(state: RenderState, { width, height }: Size): RenderState {
  const video = pipeAll(state.video, [
    ['scale', { w: width, h: height, flags: 'bicubic' }],
    ['setsar', { sar: 1 }],
  ])
  return { ...state, width, height, video }
}

function contain(state: RenderState, ratio: number, color: string): RenderState {
  const whole = evenFloor(state)
  const { picture, ...frame } = fit(whole, around(whole, ratio))
  const isOdd = whole.width !== state.width || whole.height !== state.height
  const even = isOdd ? cropTo(state.video, { ...whole, x: 0, y: 0 }) : state.video
  const isShrunk = picture.width !== whole.width
  const scaled = isShrunk
    ? pipe(even, 'scale', { w: picture.width, h: picture.height, flags: 'bicubic' })
    : even
  const x = evenFloorOf((frame.width - picture.width) / 2)
  const y = evenFloorOf((frame.height - picture.height) / 2)
  const video = pipeAll(scaled, [
    ['pad', { w: frame.width, h: frame.height, x, y, color: 'black' }],
    ['setsar', { sar: 1 }],
    ['setparams', { colorspace: matrixTags[state.colorMatrix] }],
  ])
  const inside = { ...picture, x, y }
  return { ...state, ...frame, video: paintBars(video, inside, frame, color, state.colorMatrix) }
}

function cropTo(
  picture: Stream<'video'>,
  { x, y, width, height }: Size & { x: number; y: number },
): Stream<'video'> {
  return pipe(picture, 'crop', { w: width, h: height, x, y })
}

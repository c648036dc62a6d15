import type { ProcessingOptions } from '../../../worker/contract/options.ts'
import { connect, generate, pipe, pipeAll, type Stream } from '../../ffmpeg/filter-graph.ts'
import { limitedYuv, matrixTags, type Yuv } from '../limited-yuv.ts'
import { renderStep, type RenderState } from '../render-state.ts'

type Size = { readonly width: number; readonly height: number }
type Rect = Size & { readonly x: number; readonly y: number }

/** Larger frames are refused by many players, and take more memory than any picture is worth. */
const maxSide = 8192

/**
 * Brings the picture to another shape. Cover and stretch end within the picture and contain around it, so that no pixel
 * is ever enlarged.
 */
export const resize = renderStep({
  name: 'resize',
  reads: ['aspectRatio', 'resizeMode', 'backgroundColor'],
  apply(state, { aspectRatio, resizeMode, backgroundColor }) {
    const ratio = ratioOf(aspectRatio)
    if (ratio === undefined || isAlready(ratio, state)) return state
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

function ratioOf(name: ProcessingOptions['aspectRatio']): number | undefined {
  if (name === 'original') return undefined
  const [across = 1, down = 1] = name.split(':').map(Number)
  return across / down
}

/** One pixel off is as near as even sides can come. */
function isAlready(ratio: number, state: Size): boolean {
  const { width, height } = evenFloor(state)
  return Math.abs(width - height * ratio) <= 1 || Math.abs(height - width / ratio) <= 1
}

/** Both take even sides and give even sides. */
function within({ width, height }: Size, ratio: number): Size {
  const isWider = width > height * ratio
  return isWider
    ? { width: nearestEven(height * ratio, width), height }
    : { width, height: nearestEven(width / ratio, height) }
}

function around({ width, height }: Size, ratio: number): Size {
  const isWider = width > height * ratio
  return isWider
    ? { width, height: nearestEven(width / ratio) }
    : { width: nearestEven(height * ratio), height }
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
  const bars = barsAround({ ...picture, x, y }, frame)
  const yuv = limitedYuv(color, state.colorMatrix)
  return { ...state, ...frame, video: bars.reduce((below, bar) => drawBar(below, bar, yuv), video) }
}

/** The frame, at most as large as players take, and the size of the picture in it. */
function fit(picture: Size, frame: Size): Size & { picture: Size } {
  const factor = Math.min(1, maxSide / frame.width, maxSide / frame.height)
  const scaled = (size: Size): Size => ({
    width: nearestEven(size.width * factor),
    height: nearestEven(size.height * factor),
  })
  return factor === 1 ? { ...frame, picture } : { ...scaled(frame), picture: scaled(picture) }
}

function barsAround(picture: Rect, frame: Size): Rect[] {
  const right = picture.x + picture.width
  const below = picture.y + picture.height
  const bars = [
    { x: 0, y: 0, width: picture.x, height: frame.height },
    { x: right, y: 0, width: frame.width - right, height: frame.height },
    { x: 0, y: 0, width: frame.width, height: picture.y },
    { x: 0, y: below, width: frame.width, height: frame.height - below },
  ]
  return bars.filter((bar) => bar.width > 0 && bar.height > 0)
}

/**
 * One still, laid over the padding. `pad` takes every colour for BT.601, so that the bars of a BT.709 video would come
 * out in another colour than was asked for.
 */
function drawBar(below: Stream<'video'>, bar: Rect, { y, u, v }: Yuv): Stream<'video'> {
  const { width, height } = bar
  const still = pipeAll(generate('video', 'color', { c: 'black', s: `${width}x${height}` }), [
    ['trim', { end_frame: 1 }],
    ['format', { pix_fmts: 'yuv420p' }],
    ['lutyuv', { y, u, v }],
  ])
  const [video] = connect('overlay', [below, still], ['video'], { x: bar.x, y: bar.y })
  return video
}

function cropTo(picture: Stream<'video'>, { x, y, width, height }: Rect): Stream<'video'> {
  return pipe(picture, 'crop', { w: width, h: height, x, y })
}

function evenFloor({ width, height }: Size): Size {
  return { width: evenFloorOf(width), height: evenFloorOf(height) }
}

function evenFloorOf(pixels: number): number {
  return Math.max(0, Math.floor(pixels / 2) * 2)
}

/** At least 2; with `most`, never above it. */
function nearestEven(pixels: number, most = Number.POSITIVE_INFINITY): number {
  return Math.max(2, Math.min(most, Math.round(pixels / 2) * 2))
}

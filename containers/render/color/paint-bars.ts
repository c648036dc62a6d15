import { connect, generate, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import type { Size } from '../frame/frame-shape.ts'
import { limitedYuv, type Yuv } from './limited-yuv.ts'

type Rect = Size & { readonly x: number; readonly y: number }

/** Colours the padding around a picture. */
export function paintBars(
  video: Stream<'video'>,
  picture: Rect,
  frame: Size,
  color: string,
  matrix: ColorMatrix,
): Stream<'video'> {
  const yuv = limitedYuv(color, matrix)
  return barsAround(picture, frame).reduce((below, bar) => drawBar(below, bar, yuv), video)
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
 * Lays a still picture over the padding. `pad` treats every colour as BT.601, which would give the bars of a BT.709
 * video a wrong colour.
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

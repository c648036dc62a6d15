import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { pipe, pipeAll, type Stream, connect, onePicture } from '../../graph/filter-graph.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { evenFloor, evenFloorOf, isSameSize } from './frame-shape.ts'
import type { Rect, Size } from '../../../worker/contract/layout/element-layout.ts'
import type { Yuv } from '../../timeline/blend-joints.ts'
import { limitedYuv } from '../color/limited-yuv.ts'
import { blurredBars } from '../../../worker/contract/options/picture/picture-fields.ts'
import { nearestEven } from '../../numbers/nearest-even.ts'

/** The size of the result, how a picture of another shape is fitted into it, and the colour around it. */
export type Frame = Size & {
  readonly resizeMode: ProcessingOptions['resizeMode']
  readonly backgroundColor: string
}

type FittedPicture = Size & { readonly video: Stream<'video'> }
type Fitted = { readonly video: Stream<'video'>; readonly picture: Rect }

/**
 * Fits a picture into the frame. The area around it is black or the blurred picture, and `picture` says where it is.
 */
export function fitFrame(picture: FittedPicture, frame: Frame): Fitted {
  const even = evenPicture(picture)
  const whole = { x: 0, y: 0, width: frame.width, height: frame.height }
  if (isSameSize(even, frame)) return { video: even.video, picture: whole }
  switch (frame.resizeMode) {
    case 'stretch':
      return { video: scaleTo(even, frame), picture: whole }
    case 'cover':
    // A clip that is followed already has the shape of the frame.
    case 'follow':
      return { video: cover(even, frame), picture: whole }
    case 'contain':
      return contain(even, frame)
  }
}

/** Paints the area around a fitted picture in its colour. */
export function paintAround(
  { video, picture }: Fitted,
  frame: Frame,
  matrix: ColorMatrix,
): Stream<'video'> {
  if (frame.backgroundColor === '#000000' || frame.backgroundColor === blurredBars) return video
  return paintBars(video, picture, frame, frame.backgroundColor, matrix)
}

/**
 * Encoders take only even sides: of an odd side the last row or column is dropped, rather than scaling the whole
 * picture.
 */
export function evenPicture(picture: FittedPicture): FittedPicture {
  const even = evenFloor(picture)
  if (isSameSize(even, picture)) return picture
  return { ...even, video: cropTo(picture.video, { ...even, x: 0, y: 0 }) }
}

function cover(picture: FittedPicture, frame: Size): Stream<'video'> {
  const { x, y, ...size } = coveringSize(picture, frame)
  const scaled = scaleTo(picture, size)
  if (isSameSize(size, frame)) return scaled
  return cropTo(scaled, { width: frame.width, height: frame.height, x, y })
}

/** The size of a picture that fills the frame, and where in it the frame begins. */
export function coveringSize(picture: Size, frame: Size): Rect {
  const factor = Math.max(frame.width / picture.width, frame.height / picture.height)
  const width = Math.max(frame.width, nearestEven(picture.width * factor))
  const height = Math.max(frame.height, nearestEven(picture.height * factor))
  const x = evenFloorOf((width - frame.width) / 2)
  const y = evenFloorOf((height - frame.height) / 2)
  return { x, y, width, height }
}

/** Shows the whole picture, as large as it fits. */
function contain(picture: FittedPicture, frame: Frame): Fitted {
  const place = placeInside(picture, frame)
  const { x, y } = place
  const scaled = scaleTo(picture, place)
  if (isSameSize(place, frame)) return { video: scaled, picture: place }
  if (frame.backgroundColor === blurredBars) {
    return { video: onItself({ ...place, video: scaled }, frame), picture: place }
  }
  const padded = pipe(scaled, 'pad', { w: frame.width, h: frame.height, x, y, color: 'black' })
  return { video: padded, picture: place }
}

/** Where in the frame a picture is seen as a whole. */
export function placeInside(picture: Size, frame: Size): Rect {
  const factor = Math.min(frame.width / picture.width, frame.height / picture.height)
  const width = Math.min(frame.width, nearestEven(picture.width * factor))
  const height = Math.min(frame.height, nearestEven(picture.height * factor))
  const x = evenFloorOf((frame.width - width) / 2)
  const y = evenFloorOf((frame.height - height) / 2)
  return { x, y, width, height }
}

/** Blurring a picture of a few thousand pixels looks the same, and takes no time. */
const blurredAt = 8
const blurSigma = 4

/** Lays a picture over a blurred copy of itself that fills the frame. */
function onItself({ video, x, y, ...size }: FittedPicture & Rect, frame: Frame): Stream<'video'> {
  const [above, below] = connect('split', [video], ['video', 'video'])
  const small = {
    width: nearestEven(Math.max(16, frame.width / blurredAt)),
    height: nearestEven(Math.max(16, frame.height / blurredAt)),
  }
  const ground = pipeAll(cover({ ...size, video: below }, small), [
    ['gblur', { sigma: blurSigma, steps: 2 }],
    ['scale', { w: frame.width, h: frame.height, flags: 'bicubic' }],
    ['setsar', { sar: 1 }],
  ])
  const [whole] = connect('overlay', [ground, above], ['video'], { x, y })
  return whole
}

function scaleTo(picture: FittedPicture, size: Size): Stream<'video'> {
  if (isSameSize(picture, size)) return picture.video
  return pipe(picture.video, 'scale', { w: size.width, h: size.height, flags: 'bicubic' })
}

export function cropTo(video: Stream<'video'>, { x, y, width, height }: Rect): Stream<'video'> {
  return pipe(video, 'crop', { w: width, h: height, x, y })
}

/** Colours the padding around a picture. */
function paintBars(
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
  const still = onePicture(bar, 'yuv420p', ['lutyuv', { y, u, v }])
  const [video] = connect('overlay', [below, still], ['video'], { x: bar.x, y: bar.y })
  return video
}

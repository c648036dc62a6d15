import { cropRectangle } from '../../../render/frame/crop-rectangle.ts'
import { coveringSize, placeInside } from '../../../render/frame/fit-frame.ts'
import type { Size, Rect } from '../../../../worker/contract/layout/element-layout.ts'
import type { Looked } from '../check-tables.ts'
import { smallSize } from '../small-pictures.ts'

/** Where the film shows a clip, and where each place of it comes from. */
export type Geometry = {
  /** The part of the frame that shows the clip, in shares of the frame. */
  readonly shown: Rect
  /** The place of the upright clip that is seen at a place of the shown part. */
  readonly placeIn: (x: number, y: number) => readonly [x: number, y: number]
}

/** How the options turn, crop, mirror and fit a clip into the frame. Undefined if that changes from one picture to the next. */
export function geometryOf(
  { planned, film: { plan } }: Looked,
  clip: number,
): Geometry | undefined {
  const { rotate, crop, flip } = planned.context.job.options
  const { facts, seen, asked } = planned.clips[clip] ?? planned.clips[0]
  if (seen) return undefined
  const stored = { width: facts.video.width, height: facts.video.height }
  const turned = rotate % 180 === 0 ? stored : { width: stored.height, height: stored.width }
  const whole = { x: 0, y: 0, ...turned }
  const kept = crop ? cropRectangle(turned, { crop, grid: 2, field: 'crop', of: 'source' }) : whole
  const { shown, part } = fit(kept, plan, asked.fit ?? modeOf(planned.context.job.options))
  const isMirrored = flip === 'horizontal' || flip === 'both'
  const isUpsideDown = flip === 'vertical' || flip === 'both'
  const placeIn: Geometry['placeIn'] = (x, y) => {
    const left = part.x + x * part.width
    const top = part.y + y * part.height
    const u = isMirrored ? 1 - left : left
    const v = isUpsideDown ? 1 - top : top
    const inClip = (kept.x + u * kept.width) / turned.width
    return turnedBack(rotate, inClip, (kept.y + v * kept.height) / turned.height)
  }
  return { shown, placeIn }
}

const { width: across, height: down } = smallSize

/** Of so few blocks of a small picture, most would also show what lies around the part of the source that is seen. */
const leastBlocks = 4

/** Whether a small picture of the source tells what the film shows of it. */
export function showsEnough({ placeIn }: Geometry): boolean {
  const [left, top] = placeIn(0, 0)
  const [right, bottom] = placeIn(1, 1)
  return (
    Math.abs(right - left) * across >= leastBlocks && Math.abs(bottom - top) * down >= leastBlocks
  )
}

/** A small picture of the source as the film shows it, on black where the film shows something else. */
export function asShown(source: Buffer, { shown, placeIn }: Geometry): Buffer {
  const picture = Buffer.alloc(source.length)
  for (let block = 0; block < across * down; block++) {
    const x = (((block % across) + 0.5) / across - shown.x) / shown.width
    const y = ((Math.floor(block / across) + 0.5) / down - shown.y) / shown.height
    if (x < 0 || x >= 1 || y < 0 || y >= 1) continue
    const [left, top] = placeIn(x, y)
    const from = blockAt(top, down) * across + blockAt(left, across)
    source.copy(picture, 3 * block, 3 * from, 3 * from + 3)
  }
  return picture
}

function blockAt(place: number, blocks: number): number {
  return Math.min(blocks - 1, Math.max(0, Math.floor(place * blocks)))
}

/** How pictures are fitted; if the request names no shape, nothing of a clip may be lost. */
function modeOf(options: Looked['planned']['context']['job']['options']): string {
  const { aspectRatio, width, height, resizeMode } = options
  const isAsIs = aspectRatio === 'original' && (width === undefined || height === undefined)
  return isAsIs ? 'contain' : resizeMode
}

function turnedBack(rotate: number, x: number, y: number): readonly [number, number] {
  switch (rotate) {
    case 90:
      return [y, 1 - x]
    case 180:
      return [1 - x, 1 - y]
    case 270:
      return [1 - y, x]
    default:
      return [x, y]
  }
}

const all: Rect = { x: 0, y: 0, width: 1, height: 1 }

/** The part of the frame that shows the picture, and the part of the picture that is shown. */
function fit(picture: Size, frame: Size, mode: string): { shown: Rect; part: Rect } {
  if (mode === 'contain') return { shown: sharesOf(placeInside(picture, frame), frame), part: all }
  if (mode === 'stretch') return { shown: all, part: all }
  // A picture that is wider than the frame loses its sides.
  const { x, y, ...covering } = coveringSize(picture, frame)
  const { width, height } = frame
  return { shown: all, part: sharesOf({ x, y, width, height }, covering) }
}

function sharesOf({ x, y, width, height }: Rect, of: Size): Rect {
  return {
    x: x / of.width,
    y: y / of.height,
    width: width / of.width,
    height: height / of.height,
  }
}

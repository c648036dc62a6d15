import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { nearestEven } from '../../numbers/nearest-even.ts'

type AskedSize = { readonly width: number | undefined; readonly height: number | undefined }
type AskedShape = Pick<ProcessingOptions, 'aspectRatio' | 'resizeMode'>

/** Many players refuse larger frames, and they take too much memory. */
const maxSide = 8192

/** The frame for a picture of this size. */
export function frameFor(size: Size, { aspectRatio, resizeMode }: AskedShape): Size {
  const ratio = askedRatio(aspectRatio)
  const whole = evenFloor(size)
  if (ratio === undefined || isAlready(ratio, size)) return whole
  if (resizeMode !== 'contain') return frameOfRatio(whole, ratio)
  return withinMost(around(whole, ratio))
}

/** A frame of exactly this size; a side that is not given follows from the shape of the other frame. */
export function exactFrame(shaped: Size, { width, height }: Partial<AskedSize>): Size {
  if (width === undefined && height === undefined) return shaped
  return {
    width: width ?? nearestEven(((height ?? 0) * shaped.width) / shaped.height, maxSide),
    height: height ?? nearestEven(((width ?? 0) * shaped.height) / shaped.width, maxSide),
  }
}

export function askedRatio(name: ProcessingOptions['aspectRatio']): number | undefined {
  if (name === 'original') return undefined
  const [across = 1, down = 1] = name.split(':').map(Number)
  return across / down
}

/** Even sides cannot come closer than one pixel. */
function isAlready(ratio: number, size: Size): boolean {
  const { width, height } = evenFloor(size)
  return Math.abs(width - height * ratio) <= 1 || Math.abs(height - width / ratio) <= 1
}

/** The largest frame of this ratio within a size, and below it the smallest around a size; all sides are even. */
export function frameOfRatio({ width, height }: Size, ratio: number): Size {
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

/** Limits a frame to the size that players accept. */
function withinMost({ width, height }: Size): Size {
  const factor = Math.min(1, maxSide / width, maxSide / height)
  return { width: nearestEven(width * factor), height: nearestEven(height * factor) }
}

export function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height
}

/** No side becomes smaller than 2, the smallest that can be encoded. */
export function evenFloor({ width, height }: Size): Size {
  return { width: Math.max(2, evenFloorOf(width)), height: Math.max(2, evenFloorOf(height)) }
}

export function evenFloorOf(pixels: number): number {
  return Math.max(0, Math.floor(pixels / 2) * 2)
}

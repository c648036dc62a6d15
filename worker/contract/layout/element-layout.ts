import type { Element } from '../options/elements/elements.ts'

type Visual = Exclude<Element, { type: 'audio' }>
type SizeConfig = NonNullable<Exclude<Visual, { type: 'text' | 'blur' }>['size']>
export type Size = { readonly width: number; readonly height: number }
type Point = { readonly x: number; readonly y: number }
export type Rect = Size & Point

export type LayoutRequest = {
  /** The size of the element's own picture. */
  readonly natural: Size
  readonly frame: Size
  readonly size: SizeConfig | undefined
  readonly position: Visual['position']
  /** Sides and offsets are multiples of this: 2 if the colours are stored at half the resolution. */
  readonly grid: 1 | 2
  /** Parts outside of the frame must be kept, because the element is turned or moved later. */
  readonly isWhole?: boolean
}

/** The steps applied to an element's picture, in this order. */
export type Layout = {
  /** The part of the source that is scaled; undefined for all of it. */
  readonly source: Rect | undefined
  readonly scaled: Size
  /** The visible part of the scaled picture. */
  readonly seen: Rect
  /** The position of its top left corner in the frame. */
  readonly at: Point
}

/** Computes the position and size of an element; undefined if no part of it lies in the frame. */
export function layOut(request: LayoutRequest): Layout | undefined {
  const { natural, frame, grid } = request
  const target = targetSize(natural, frame, request.size)
  const box = { width: snap(target.box.width, grid), height: snap(target.box.height, grid) }
  const corner = snapPoint(cornerOf(box, frame, request.position), grid)
  const asPlaced = { ...corner, ...box }
  const inFrame = request.isWhole ? asPlaced : intersect(asPlaced, frame)
  if (inFrame.width <= 0 || inFrame.height <= 0) return undefined
  const whole = {
    width: Math.max(box.width, snap(natural.width * target.factor, grid)),
    height: Math.max(box.height, snap(natural.height * target.factor, grid)),
  }
  const margin = snapPoint(
    { x: (whole.width - box.width) / 2, y: (whole.height - box.height) / 2 },
    grid,
  )
  const seen = {
    x: margin.x + inFrame.x - corner.x,
    y: margin.y + inFrame.y - corner.y,
    width: inFrame.width,
    height: inFrame.height,
  }
  return { ...spare(natural, whole, seen), at: { x: inFrame.x, y: inFrame.y } }
}

type TargetBox = { box: Size; factor: number }

/** `box` is the visible area, `factor` the scale of the whole picture. */
export function targetSize(natural: Size, frame: Size, size: SizeConfig | undefined): TargetBox {
  const width = pixelsOf(size?.width, frame.width)
  const height = pixelsOf(size?.height, frame.height)
  const across = (width ?? frame.width) / natural.width
  const down = (height ?? frame.height) / natural.height
  if (width !== undefined && height !== undefined && size?.fit === 'cover') {
    return { box: { width, height }, factor: Math.max(across, down) }
  }
  const factor = factorFor()
  const box = { width: natural.width * factor, height: natural.height * factor }
  return { box, factor }

  function factorFor(): number {
    if (width !== undefined && height !== undefined) return Math.min(across, down)
    if (width !== undefined) return across
    return height === undefined ? Math.min(1, across, down) : down
  }
}

export function pixelsOf(length: SizeConfig['width'], whole: number): number | undefined {
  return typeof length === 'string' ? (Number.parseFloat(length) / 100) * whole : length
}

function cornerOf(box: Size, frame: Size, position: NonNullable<Visual['position']> = {}): Point {
  const free = { x: frame.width - box.width, y: frame.height - box.height }
  if (position.x !== undefined || position.y !== undefined) {
    return {
      x: position.x === undefined ? free.x / 2 : percentOf(position.x, frame.width),
      y: position.y === undefined ? free.y / 2 : percentOf(position.y, frame.height),
    }
  }
  const [row = 'center', column = 'center'] = (position.anchor ?? 'center').split('-')
  return { x: free.x * anchorShares(column), y: free.y * anchorShares(row) }
}

function anchorShares(side: string): number {
  if (side === 'top' || side === 'left') return 0
  return side === 'bottom' || side === 'right' ? 1 : 0.5
}

function percentOf(text: string, whole: number): number {
  return (Number.parseFloat(text) / 100) * whole
}

function snap(pixels: number, grid: number): number {
  return Math.max(grid, Math.round(pixels / grid) * grid)
}

function snapPoint({ x, y }: Point, grid: number): Point {
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid }
}

function intersect(rect: Rect, frame: Size): Rect {
  const x = Math.max(0, rect.x)
  const y = Math.max(0, rect.y)
  return {
    x,
    y,
    width: Math.min(frame.width, rect.x + rect.width) - x,
    height: Math.min(frame.height, rect.y + rect.height) - y,
  }
}

/** A picture scaled far beyond the frame would fill the memory, so only its visible part is scaled. */
const worthwhile = 2

function spare(natural: Size, whole: Size, seen: Rect): Omit<Layout, 'at'> {
  if (whole.width * whole.height <= seen.width * seen.height * worthwhile) {
    return { source: undefined, scaled: whole, seen }
  }
  const across = sparePart(natural.width, whole.width, { from: seen.x, length: seen.width })
  const down = sparePart(natural.height, whole.height, { from: seen.y, length: seen.height })
  return {
    source: { x: across.from, y: down.from, width: across.length, height: down.length },
    scaled: { width: across.scaled, height: down.scaled },
    seen: { ...seen, x: across.seenFrom, y: down.seenFrom },
  }
}

/** For one side: whole source pixels around the visible part, at even offsets, so that no colour sample is split. */
function sparePart(natural: number, whole: number, seen: { from: number; length: number }) {
  const factor = whole / natural
  const from = Math.max(0, Math.floor(seen.from / factor / 2) * 2)
  const to = Math.min(natural, Math.ceil((seen.from + seen.length) / factor / 2) * 2)
  const scaled = Math.max(seen.length, Math.round((to - from) * factor))
  const seenFrom = Math.min(
    scaled - seen.length,
    Math.max(0, Math.round(seen.from - from * factor)),
  )
  return { from, length: to - from, scaled, seenFrom }
}

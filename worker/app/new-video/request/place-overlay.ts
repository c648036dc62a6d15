import { targetSize, type Size } from '../../../contract/layout/element-layout.ts'
import { type Choices, valueAt } from './build-request.ts'

/** A box in per cent of the frame. */
export type OverlayBox = { left: number; top: number; width: number; height: number }

/** The width and shape assumed for an element whose own size the page does not know. */
const unknown = { width: 25, ratio: 16 / 9 }

/** Where an element of the request lies in a frame of this size in pixels; `picture` is its own size, if known. */
export function placeOverlay(element: Choices, frame: Size, picture?: Size): OverlayBox {
  const [wide, high] = ['size.width', 'size.height'].map((path) => valueAt(element, path))
  const own =
    picture && targetSize(picture, frame, element['size'] as Parameters<typeof targetSize>[2]).box
  const given = {
    width: percentOf(own?.width ?? wide, frame.width),
    height: percentOf(own?.height ?? high, frame.height),
  }
  // Turns per cent of the width into per cent of the height for the same length.
  const turned = frame.width / frame.height
  const width =
    given.width ??
    (given.height === undefined ? unknown.width : (given.height / turned) * unknown.ratio)
  const height = given.height ?? (width * turned) / unknown.ratio
  const [x, y] = ['position.x', 'position.y'].map((path) => percentOf(valueAt(element, path), 100))
  const [down, across] = sharesOf(valueAt(element, 'position.anchor'))
  return {
    left: x ?? (100 - width) * across,
    top: y ?? (100 - height) * down,
    width,
    height,
  }
}

const shares: Readonly<Record<string, number>> = {
  top: 0,
  left: 0,
  center: 0.5,
  bottom: 1,
  right: 1,
}

/** Where a text is anchored, in per cent of the frame and of itself: only the browser knows its size. */
export function holdText(element: Choices): {
  left: number
  top: number
  across: number
  down: number
} {
  const [x, y] = ['position.x', 'position.y'].map((path) => percentOf(valueAt(element, path), 100))
  const [down, across] = sharesOf(valueAt(element, 'position.anchor'))
  return {
    left: x ?? across * 100,
    top: y ?? down * 100,
    across: x === undefined ? across * 100 : 0,
    down: y === undefined ? down * 100 : 0,
  }
}

/** `bottom-left` → all the way down, none across. */
function sharesOf(anchor: unknown): [number, number] {
  const [down = 'center', across = down] = typeof anchor === 'string' ? anchor.split('-') : []
  return [shares[down] ?? 0.5, shares[across] ?? 0.5]
}

function percentOf(length: unknown, whole: number): number | undefined {
  if (typeof length === 'number') return (length / whole) * 100
  const percent = typeof length === 'string' ? Number.parseFloat(length) : NaN
  return Number.isFinite(percent) ? percent : undefined
}

/** The position of a box after it is moved by this distance, kept inside the frame where it fits. */
export function movedBy({ left, top, width, height }: OverlayBox, across: number, down: number) {
  return {
    x: asPercent(within(left + across, 100 - width)),
    y: asPercent(within(top + down, 100 - height)),
  }
}

/** The width of a box after it is made wider by this amount. */
export function widenedBy({ left, width }: OverlayBox, by: number): string {
  return asPercent(Math.max(1, within(width + by, 100 - left)))
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0))
}

function asPercent(value: number): string {
  return `${Math.round(value * 10) / 10}%`
}

/** CSS for an element. Lengths are in per cent of the frame's height, for which CSS has a unit. */
type OverlayLook = { rotate: string; borderRadius: string; backdropFilter: string; opacity: string }

/** Anything fainter could not be found on the preview any more. */
const leastOpacity = 0.15

/** How the box of an element looks; its sides are in per cent of the frame. */
export function lookOf(element: Choices, box: Size, frame: Size): OverlayLook {
  const shorter = Math.min((box.width / 100) * frame.width, (box.height / 100) * frame.height)
  const inFrame = (pixels: number) => `${((pixels / frame.height) * 100).toFixed(2)}cqh`
  const { rotation, type, style } = element
  const radius = radiusOf(element['cornerRadius'], shorter)
  const strength = valueAt(element, 'strength')
  const grain = (shorter * (typeof strength === 'number' ? strength : 50)) / 400
  const isBlurred = type === 'blur'
  const opacity = valueAt(element, 'effects.opacity')
  return {
    opacity: typeof opacity === 'number' ? String(Math.max(leastOpacity, opacity)) : '',
    rotate: typeof rotation === 'number' ? `${rotation}deg` : '',
    borderRadius: radius > 0 ? inFrame(radius) : '',
    // Pages cannot show large pixels, but a blur hides as much.
    backdropFilter: isBlurred ? `blur(${inFrame(style === 'pixels' ? grain / 2 : grain)})` : '',
  }
}

function radiusOf(radius: unknown, shorter: number): number {
  if (typeof radius === 'number') return Math.min(radius, shorter / 2)
  const percent = typeof radius === 'string' ? Number.parseFloat(radius) : NaN
  return Number.isFinite(percent) ? (Math.min(percent, 50) / 100) * shorter : 0
}

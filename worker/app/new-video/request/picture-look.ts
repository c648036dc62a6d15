import type { Size } from '../../../contract/layout/element-layout.ts'
import { type Choices, valueAt } from './build-request.ts'

/** The share of the upright picture that is cropped from each side, in the order of CSS. */
type Insets = readonly [top: number, right: number, bottom: number, left: number]

const whole: Insets = [0, 0, 0, 0]

/** How much a crop takes from each side of a picture of this size; nothing while the crop lies outside the picture. */
export function insetsOf(request: Choices, picture: Size): Insets {
  const [x = 0, y = 0, width, height] = ['x', 'y', 'width', 'height'].map((side) =>
    shareOf(
      valueAt(request, `crop.${side}`),
      side === 'x' || side === 'width' ? picture.width : picture.height,
    ),
  )
  const insets = [y, 1 - x - (width ?? 1 - x), 1 - y - (height ?? 1 - y), x] as const
  const [top, right, bottom, left] = insets.map((inset) => (Math.abs(inset) < 1e-6 ? 0 : inset))
  if (top === undefined || right === undefined || bottom === undefined || left === undefined)
    return whole
  const isInside = Math.min(...insets) > -1e-6 && top + bottom < 1 && left + right < 1
  return isInside ? [top, right, bottom, left] : whole
}

/** The size of the picture after the crop. */
export function croppedSize([top, right, bottom, left]: Insets, picture: Size): Size {
  return {
    width: picture.width * (1 - left - right),
    height: picture.height * (1 - top - bottom),
  }
}

/** The same insets before the picture is turned, when each side was another one. */
export function beforeTurn([top, right, bottom, left]: Insets, degrees: number): Insets {
  switch (degrees) {
    case 90:
      return [right, bottom, left, top]
    case 180:
      return [bottom, left, top, right]
    case 270:
      return [left, top, right, bottom]
    default:
      return [top, right, bottom, left]
  }
}

/** How a picture is mirrored, across and down, as factors of CSS. */
export function mirrorOf({ flip }: Choices): { across: 1 | -1; down: 1 | -1 } {
  return {
    across: flip === 'horizontal' || flip === 'both' ? -1 : 1,
    down: flip === 'vertical' || flip === 'both' ? -1 : 1,
  }
}

/**
 * The size of the finished picture: within the present picture, or around it where none of it may be lost. Texts and overlays
 * count pixels in it.
 */
export function frameSize({ width, height }: Size, request: Choices): Size {
  const [, across, down] = /^(\d+):(\d+)$/.exec(String(request['aspectRatio'])) ?? []
  if (across === undefined || down === undefined) return { width, height }
  const ratio = Number(across) / Number(down)
  const isWider = width > height * ratio
  return isWider === (request['resizeMode'] === 'contain')
    ? { width, height: width / ratio }
    : { width: height * ratio, height }
}

/** Whether a blurred copy of the picture fills the bars around it. */
export function hasBlurredBars({ aspectRatio, resizeMode, backgroundColor }: Choices): boolean {
  return aspectRatio !== 'original' && resizeMode === 'contain' && backgroundColor === 'blur'
}

/** The weights of red, green and blue in how light a colour looks. */
const lumaOf = [0.2126, 0.7152, 0.0722]

/** What `color` does, as a matrix of SVG: contrast and saturation scale, brightness moves. Undefined if it does nothing. */
export function toneOf(request: Choices): string | undefined {
  const [brightness = 0, contrast = 1, saturation = 1] = [
    'brightness',
    'contrast',
    'saturation',
  ].map((name) => {
    const value = valueAt(request, `color.${name}`)
    return typeof value === 'number' ? value : undefined
  })
  if (brightness === 0 && contrast === 1 && saturation === 1) return undefined
  const rows = lumaOf.map((_, row) => [
    ...lumaOf.map(
      (share, i) => contrast * ((1 - saturation) * share + (i === row ? saturation : 0)),
    ),
    0,
    (1 - contrast) / 2 + brightness,
  ])
  return [...rows, [0, 0, 0, 1, 0]]
    .flat()
    .map((value) => value.toFixed(4))
    .join(' ')
}

/** The colour that lies over the film at one of its seconds, and how opaque it is. */
export function fadeAt(
  request: Choices,
  seconds: number,
  filmSeconds: number,
): { color: string; opacity: number } {
  const [rise = 0, sink = 0] = ['fadeIn', 'fadeOut'].map((fade) => {
    const duration = valueAt(request, `${fade}.duration`)
    return typeof duration === 'number' ? Math.min(duration, filmSeconds) : 0
  })
  const left = filmSeconds - seconds
  const isSinking = sink > 0 && left < sink
  const opacity = isSinking ? 1 - left / sink : rise > 0 ? 1 - seconds / rise : 0
  const color = valueAt(request, isSinking ? 'fadeOut.color' : 'fadeIn.color')
  return {
    color: typeof color === 'string' ? color : '#000000',
    opacity: Math.min(1, Math.max(0, opacity)),
  }
}

function shareOf(length: unknown, of: number): number | undefined {
  if (typeof length === 'number') return length / of
  const percent = typeof length === 'string' ? Number.parseFloat(length) : NaN
  return Number.isFinite(percent) ? percent / 100 : undefined
}

import type { Request } from './build-request.ts'
import { valueAt } from './path-steps.ts'

type Size = { width: number; height: number }

/** In a page, lengths are told in per cent of the frame's height, for which CSS has a unit. */
type Look = { rotate: string; borderRadius: string; backdropFilter: string; opacity: string }

/** What is fainter could not be found any more. */
const leastOpacity = 0.15

/** How the box of an element looks, whose sides are in per cent of the frame. */
export function lookOf(element: Request, box: Size, frame: Size): Look {
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
    // Pages cannot show large pixels; what is hidden is hidden all the same.
    backdropFilter: isBlurred ? `blur(${inFrame(style === 'pixels' ? grain / 2 : grain)})` : '',
  }
}

function radiusOf(radius: unknown, shorter: number): number {
  if (typeof radius === 'number') return Math.min(radius, shorter / 2)
  const percent = typeof radius === 'string' ? Number.parseFloat(radius) : NaN
  return Number.isFinite(percent) ? (Math.min(percent, 50) / 100) * shorter : 0
}

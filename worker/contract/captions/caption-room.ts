import type { Captions } from '../options/captions/captions.ts'
import { pixelsOf, type Size } from '../layout/element-layout.ts'

/** Where captions stand in a frame, in pixels of it. */
export type CaptionRoom = {
  readonly fontSize: number
  /** The requested size, which may leave too little of the picture. */
  readonly asked: number
  readonly lineHeight: number
  readonly maxWidth: number
  readonly maxLines: number
  /** The top of a block of this many lines. */
  readonly topOf: (lines: number) => number
}

const lineHeight = 1.25
/** The largest part of the height that captions cover. */
const mostOfHeight = 1 / 3
const sideShare = 0.1
/** Room for the outline, and for the box around the text, in font sizes. */
export const boxPadding = { x: 0.4, y: 0.2 } as const

/** The parts of a frame in which apps put names and buttons over tall videos, and televisions cut off an edge. */
function safeShares({ width, height }: Size): { top: number; bottom: number } {
  const ratio = width / height
  if (ratio < 0.65) return { top: 0.12, bottom: 0.2 }
  return ratio < 0.95 ? { top: 0.1, bottom: 0.14 } : { top: 0.08, bottom: 0.08 }
}

/** Smaller letters would be hard to read on any screen. */
const leastFontSize = 8

function usualFontSize({ width, height }: Size): number {
  const ratio = width / height
  const share = ratio < 0.95 ? 0.068 : ratio < 1.2 ? 0.058 : 0.054
  return Math.max(leastFontSize, Math.min(width, height) * share)
}

export function captionRoom(captions: Captions, frame: Size): CaptionRoom {
  const { style, position = 'bottom', maxLines = 2 } = captions
  const asked = pixelsOf(captions.size, frame.height) ?? usualFontSize(frame)
  const mostHeight = frame.height * mostOfHeight
  const fontSize = Math.min(asked, mostHeight / (lineHeight + 2 * boxPadding.y))
  const fitting = Math.floor(mostHeight / fontSize / lineHeight - (2 * boxPadding.y) / lineHeight)
  const safe = safeShares(frame)
  const hasBox = captions.background !== undefined || style === 'box'
  const padding = hasBox ? boxPadding.y * fontSize : 0
  const top = frame.height * safe.top + padding
  const bottom = frame.height * (1 - safe.bottom) - padding
  const heightOf = (lines: number): number => lines * lineHeight * fontSize
  const wanted = (height: number): number => {
    if (typeof position === 'object') {
      return (Number.parseFloat(position.y) / 100) * frame.height - height / 2
    }
    if (position === 'middle') return (frame.height - height) / 2
    return position === 'top' ? top : bottom - height
  }
  return {
    ...{ fontSize, asked, lineHeight },
    maxWidth: frame.width * (1 - 2 * sideShare) - 2 * boxPadding.x * fontSize,
    maxLines: Math.max(1, Math.min(maxLines, fitting)),
    topOf: (lines) => Math.max(top, Math.min(bottom - heightOf(lines), wanted(heightOf(lines)))),
  }
}

import type { Captions } from '../../../worker/contract/options/captions.ts'
import type { CaptionLook } from '../../text/caption-track.ts'
import {
  contrastInOutline,
  contrastOnBox,
  leastContrast,
  readColor,
  type Color,
} from '../../text/colors.ts'
import { pixelsOf, type Size } from '../elements/element-layout.ts'

type CaptionRoom = CaptionLook & {
  readonly maxWidth: number
  readonly maxLines: number
  readonly warnings: readonly string[]
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

/** How captions look in a frame, and how much room they have there. */
export function planCaptionLook(captions: Captions, frame: Size): CaptionRoom {
  const { style = 'plain', color = '#FFFFFF', position = 'bottom', maxLines = 2 } = captions
  const background = captions.background ?? (style === 'box' ? '#000000C0' : undefined)
  const highlight = captions.highlight ?? (style === 'karaoke' ? '#FFE100' : undefined)
  const asked = pixelsOf(captions.size, frame.height) ?? usualFontSize(frame)
  const mostHeight = frame.height * mostOfHeight
  const fontSize = Math.min(asked, mostHeight / (lineHeight + 2 * boxPadding.y))
  const fitting = Math.floor(mostHeight / fontSize / lineHeight - (2 * boxPadding.y) / lineHeight)
  const safe = safeShares(frame)
  const padding = background === undefined ? 0 : boxPadding.y * fontSize
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
    ...{ fontSize, lineHeight },
    fill: readColor(color),
    highlight: highlight === undefined ? undefined : readColor(highlight),
    box: background === undefined ? undefined : readColor(background),
    topOf: (lines) => Math.max(top, Math.min(bottom - heightOf(lines), wanted(heightOf(lines)))),
    maxWidth: frame.width * (1 - 2 * sideShare) - 2 * boxPadding.x * fontSize,
    maxLines: Math.max(1, Math.min(maxLines, fitting)),
    warnings: [
      ...(fontSize < asked - 0.5
        ? [
            `captions.size: made smaller, ${fontSize.toFixed(1)} pixels, to leave two thirds of the picture free.`,
          ]
        : []),
      ...colorWarnings({ color, highlight, background }),
    ],
  }
}

type Asked = { color: string; highlight: string | undefined; background: string | undefined }

/** The outline of letters stands out from them unless the picture shines through them; on a box they have none. */
function colorWarnings({ color, highlight, background }: Asked): string[] {
  const letters = { color, ...(highlight !== undefined && { highlight }) }
  const ground = background === undefined ? 'some pictures' : `a box of ${background}`
  const contrast = (text: Color): number =>
    background === undefined ? contrastInOutline(text) : contrastOnBox(text, readColor(background))
  return Object.entries(letters).flatMap(([name, value]) =>
    contrast(readColor(value)) >= leastContrast
      ? []
      : [`captions.${name}: ${value} is hard to read on ${ground}.`],
  )
}

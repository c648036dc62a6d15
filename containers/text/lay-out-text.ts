import { measureParts, wrapParts } from './wrap-text.ts'
import { cleanLines, isRightToLeft } from './clean-text.ts'
import { compose, type TextPiece } from './compose.ts'
import { directBrackets } from './direct-brackets.ts'
import type { Lettering } from './font-shelf.ts'

/** A line as it is drawn. */
type TextLine = TextPiece & { readonly isRightToLeft: boolean }

export type TextBlock = {
  readonly fontSize: number
  readonly lines: readonly TextLine[]
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** The letters that no font has. */
  readonly missing: readonly string[]
  /** Lines that did not fit even at the smallest size. */
  readonly linesLeftOut: number
}

type TextRoom = {
  readonly text: string
  readonly lettering: Lettering
  readonly fontSize: number
  /** Distance of the lines, in sizes of the font. */
  readonly lineHeight: number
  readonly maxWidth: number
  readonly maxHeight: number
}

/** Nobody reads smaller letters. */
const leastFontSize = 6
const shrinking = 0.92

/** Sets a text in lines of at most this width, in smaller letters if that many lines do not fit into the height. */
export function layOutText(room: TextRoom): TextBlock {
  const { text, lettering, lineHeight, maxWidth, maxHeight } = room
  const paragraphs = cleanLines(text).map((line) => ({
    parts: measureParts(line, lettering),
    isRightToLeft: isRightToLeft(line),
  }))
  const set = (size: number) =>
    paragraphs.flatMap(({ parts, isRightToLeft: direction }) =>
      wrapParts(parts, maxWidth / size).map((line) => ({ line, isRightToLeft: direction })),
    )
  let size = Math.min(room.fontSize, Math.max(leastFontSize, maxHeight / lineHeight))
  let lines = set(size)
  while (lines.length * lineHeight * size > maxHeight && size > leastFontSize) {
    size = Math.max(leastFontSize, size * shrinking)
    lines = set(size)
  }
  const count = Math.max(1, Math.floor(maxHeight / (lineHeight * size) + 1e-6))
  const drawn = lines
    .slice(0, count)
    .flatMap(({ line, ...rest }): TextLine[] =>
      directBrackets([{ ...compose(line, lettering), ...rest }], rest),
    )
  return {
    fontSize: size,
    lines: drawn,
    width: Math.max(0, ...drawn.map(({ width }) => width)) * size,
    height: drawn.length * lineHeight * size,
    missing: [...new Set(drawn.flatMap(({ missing }) => missing))],
    linesLeftOut: lines.length - drawn.length,
  }
}

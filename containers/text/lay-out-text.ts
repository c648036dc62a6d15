import { cleanLines, isRightToLeft, lettersOf } from './clean-text.ts'
import { splitByFont, type TextPiece } from './split-by-font.ts'
import { directBrackets } from './direct-brackets.ts'
import type { Lettering } from './font-shelf.ts'

/** A line to be drawn. */
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

/** Smaller letters cannot be read. */
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
      directBrackets([{ ...splitByFont(line, lettering), ...rest }], rest),
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

/** Scripts that are written without spaces, in which a line may end after any word. */
export const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Brackets and quotes behind which no line ends. */
const opening = /^[\p{Ps}\p{Pi}]$/u
/** Marks of these scripts, which are as wide as a character and have room of their own. */
const wideMark = /[\u3001-\u303F\uFF01-\uFF65]/u

/** The parts of a line that stay together, each with the blanks behind it. */
export function splitForLines(line: string): string[] {
  const parts: string[] = []
  let before: 'nothing' | 'blank' | 'wide' | 'opening' | 'other' = 'nothing'
  for (const { segment, isWordLike } of segmenter.segment(line)) {
    const isBlank = /^\s+$/u.test(segment)
    const isUnspaced = isWordLike === true && unspacedScript.test(segment)
    const isOpening = opening.test(segment)
    const isWide = isUnspaced || wideMark.test(segment)
    const mayBegin = isOpening ? isWide || before === 'wide' : isUnspaced
    const begins = !isBlank && (before === 'blank' || (mayBegin && before !== 'opening'))
    if (parts.length === 0 || begins) parts.push(segment)
    else parts[parts.length - 1] += segment
    before = isBlank ? 'blank' : isOpening ? 'opening' : isWide ? 'wide' : 'other'
  }
  return parts
}

/** A part of a line, measured once; widths are in sizes of the font. */
type TextPart = {
  readonly text: string
  readonly width: number
  /** Without the blanks at its end, which take no room at the end of a line. */
  readonly bareWidth: number
  /** Its letters one by one, for a part that is wider than a line. */
  readonly letters: readonly { readonly text: string; readonly width: number }[]
}

export function measureParts(line: string, lettering: Lettering): TextPart[] {
  const widthOf = (text: string): number => splitByFont(text, lettering).width
  return splitForLines(line).map((text) => ({
    text,
    width: widthOf(text),
    bareWidth: widthOf(text.trimEnd()),
    letters: lettersOf(text).map((letter) => ({ text: letter, width: widthOf(letter) })),
  }))
}

/** Sets parts in lines of at most this width; a part wider than that is broken between letters. */
export function wrapParts(parts: readonly TextPart[], maxWidth: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  const close = (): void => {
    lines.push(line.trim())
    line = ''
    width = 0
  }
  const add = (text: string, wide: number, bare = wide): void => {
    if (line !== '' && width + bare > maxWidth) close()
    line += text
    width += wide
  }
  for (const { text, width: wide, bareWidth, letters } of parts) {
    if (bareWidth <= maxWidth) add(text, wide, bareWidth)
    else for (const letter of letters) add(letter.text, letter.width)
  }
  close()
  return lines
}

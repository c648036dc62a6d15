import { lettersOf } from './clean-text.ts'
import { compose } from './compose.ts'
import type { Lettering } from './font-shelf.ts'

/** Scripts that are written without spaces, in which a line may end after any word. */
const unspaced =
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
    const isUnspaced = isWordLike === true && unspaced.test(segment)
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
  const widthOf = (text: string): number => compose(text, lettering).width
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

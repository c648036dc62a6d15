import { segmenter } from '../../worker/contract/options/captions/letters.ts'

/**
 * Code points that never reach a program that draws: controls, marks that turn the direction of text around or hide parts of
 * it, choices between shapes that no font here has, and code points without a meaning.
 */
const unwritten =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u00AD\u034F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\u{1F3FB}-\u{1F3FF}\u{E0000}-\u{E0FFF}]/gu

/** Marks above and below one letter; more than these would run over the whole picture. */
const maxMarks = 6
const marks = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, 'gu')

/** The lines of a text without what must not be drawn. */
export function cleanLines(text: string): string[] {
  const lines = text
    .toWellFormed()
    .normalize('NFC')
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
  return lines.map(cleanLine)
}

/** One line of text without what must not be drawn. */
export function cleanLine(line: string): string {
  const plain = line.replace(/[\t\n\r\v\f\u2028\u2029]/gu, ' ').replace(unwritten, '')
  return plain.replace(marks, '$1')
}

/** What a reader sees as one letter: a letter with its marks, or an emoji of several code points. */
export function lettersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u

/** The direction of a paragraph: that of its first letter, as in Unicode. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0]
  return first !== undefined && rightToLeft.test(first)
}

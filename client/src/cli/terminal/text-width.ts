import { escapedText, markedCodes } from './paint.ts'

/** Letters that take two columns: Chinese, Japanese and Korean scripts, full-width forms, most emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const unseen = /[\p{Mn}\p{Me}\p{Cf}]/u

/** How many columns a terminal needs for this text. */
export function textWidth(text: string): number {
  return [...text.replaceAll(markedCodes, '')].reduce((sum, letter) => sum + letterWidth(letter), 0)
}

function letterWidth(letter: string): number {
  if (unseen.test(letter)) return 0
  return wide.test(letter) ? 2 : 1
}

/** Cuts a text without colours to a number of columns; `…` shows that something is missing. */
export function cutText(text: string, columns: number, ellipsis = '…'): string {
  if (textWidth(text) <= columns) return text
  let kept = ''
  let used = textWidth(ellipsis)
  for (const letter of text) {
    used += letterWidth(letter)
    if (used > columns) break
    kept += letter
  }
  return columns < 1 ? '' : `${kept}${ellipsis}`
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

/** Breaks a text into lines at its spaces. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** What others have named stays on its line, and moves no cursor. */
export function plainText(text: string): string {
  return escapedText(text.replaceAll(/[\n\t]/g, ' '))
}

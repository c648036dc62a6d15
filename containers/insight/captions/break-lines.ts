import { maxLineChars, type CaptionWord } from './caption-words.ts'

const lengthOf = (text: string): number => [...text].length

function joined(words: readonly CaptionWord[]): string {
  return words.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join('')
}

/** Returns one line if the text fits, else two of similar length; undefined if two are not enough. */
export function breakLines(words: readonly CaptionWord[]): string[] | undefined {
  const whole = joined(words)
  if (lengthOf(whole) <= maxLineChars) return [whole]
  const breaks = words.slice(1).flatMap((_, i) => {
    const lines = [joined(words.slice(0, i + 1)), joined(words.slice(i + 1))]
    return lines.every((line) => lengthOf(line) <= maxLineChars) ? [lines] : []
  })
  return breaks.sort((a, b) => unevenness(a) - unevenness(b))[0]
}

/** A first line that ends with a clause may be somewhat shorter or longer. */
function unevenness([first = '', second = '']: readonly string[]): number {
  const difference = Math.abs(lengthOf(first) - lengthOf(second))
  return /[,;:.!?。、，！？]$/u.test(first) ? difference - 14 : difference
}

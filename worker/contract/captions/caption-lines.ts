import { maxLineChars, type CaptionWord } from './caption-words.ts'

export type LineRule = {
  readonly maxLines: number
  readonly maxWidth: number
  /** The width of a word, with the space before it unless it begins a line. */
  widthOf(word: CaptionWord, beginsLine: boolean): number
}

/** Files with captions count letters: two lines of 42. */
export const fileLines: LineRule = {
  maxLines: 2,
  maxWidth: maxLineChars,
  widthOf: ({ text, spaced }, beginsLine) => [...text].length + (spaced && !beginsLine ? 1 : 0),
}

export function joined(words: readonly CaptionWord[]): string {
  return words.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join('')
}

/** Returns as few lines as the words fit in, of similar width; undefined if the allowed number is not enough. */
export function breakWords(
  words: readonly CaptionWord[],
  rule: LineRule,
): readonly CaptionWord[][] | undefined {
  const widths = words.map((word) => [rule.widthOf(word, true), rule.widthOf(word, false)] as const)
  for (let count = 1; count <= rule.maxLines; count++) {
    const best = bestLines({ words, widths, rule }, 0, count)
    if (best) return best.lines
  }
  return undefined
}

type Breaking = {
  readonly words: readonly CaptionWord[]
  readonly widths: readonly (readonly [first: number, later: number])[]
  readonly rule: LineRule
}
type Lines = { readonly lines: CaptionWord[][]; readonly widths: number[]; readonly cost: number }

/** The most even way to set the words from this one on in exactly this many lines. */
function bestLines(breaking: Breaking, from: number, count: number): Lines | undefined {
  const { words, widths, rule } = breaking
  let best: Lines | undefined
  let width = 0
  for (let end = from + 1; end <= words.length; end++) {
    width += widths[end - 1]?.[end === from + 1 ? 0 : 1] ?? 0
    if (width > rule.maxWidth) break
    const isWhole = end === words.length
    if (isWhole !== (count === 1)) continue
    const line = words.slice(from, end)
    const rest = isWhole ? { lines: [], widths: [], cost: 0 } : bestLines(breaking, end, count - 1)
    if (!rest) continue
    const next = rest.widths[0]
    const uneven = next === undefined ? 0 : Math.abs(width - next) - clauseBonus(line, rule)
    const cost = rest.cost + uneven
    if (best && best.cost <= cost) continue
    best = { lines: [line, ...rest.lines], widths: [width, ...rest.widths], cost }
  }
  return best
}

/** A line that ends with a clause may be somewhat shorter or longer. */
function clauseBonus(line: readonly CaptionWord[], { maxWidth }: LineRule): number {
  return /[,;:.!?。、，！？]$/u.test(line.at(-1)?.text ?? '') ? maxWidth / 3 : 0
}

const leastSeconds = 1
/** A shorter gap between two captions would only flicker. */
const flickerSeconds = 0.4

/** When a caption is shown: from its first word on, for a second at least if nobody speaks on. */
export function captionSpan(
  words: readonly CaptionWord[],
  next: CaptionWord | undefined,
  durationSeconds: number,
): { startTime: number; endTime: number } {
  const startTime = words[0]?.startTime ?? 0
  const last = next?.startTime ?? durationSeconds
  const wanted = Math.max(words.at(-1)?.endTime ?? 0, startTime + leastSeconds)
  return { startTime, endTime: last - wanted < flickerSeconds ? last : wanted }
}

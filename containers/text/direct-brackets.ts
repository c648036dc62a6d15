import { isRightToLeft } from './clean-text.ts'
import type { FontRun } from './split-by-font.ts'

type Direction = 'left' | 'right'

const closing = new Map(
  ['()', '[]', '{}', '（）', '［］', '｛｝', '「」', '『』', '【】', '〔〕', '〈〉', '《》'].map(
    ([open = '', close = '']) => [open, close],
  ),
)
const closes = new Set(closing.values())
/** The depth to which Unicode follows nested brackets. */
const deepest = 63

/** Marks without a width, which give their neighbours the direction of a letter. */
const marks: Record<Direction, string> = { left: '\u200E', right: '\u200F' }

/**
 * Brackets take the direction of the text inside them: rule N0 of Unicode's bidirectional algorithm. The program that draws
 * does not follow that rule and would turn one bracket of a pair around, so marks on both sides of each bracket enforce it.
 */
export function directBrackets<Piece extends { readonly runs: readonly FontRun[] }>(
  pieces: readonly Piece[],
  base: { readonly isRightToLeft: boolean },
): Piece[] {
  const text = pieces.flatMap(({ runs }) => runs.map((run) => run.text)).join('')
  if (!base.isRightToLeft && !isMixed(text)) return [...pieces]
  const directions = directionsOf([...text], base.isRightToLeft ? 'right' : 'left')
  let at = 0
  const mark = (letter: string): string => {
    const direction = directions.get(at++)
    return direction === undefined ? letter : `${marks[direction]}${letter}${marks[direction]}`
  }
  return pieces.map((piece) => ({
    ...piece,
    runs: piece.runs.map((run) => ({ ...run, text: Array.from(run.text, mark).join('') })),
  }))
}

function isMixed(text: string): boolean {
  return Array.from(text.matchAll(/\p{L}/gu)).some(([letter]) => isRightToLeft(letter))
}

/** The direction of each bracket that has a partner and encloses letters, by its place. */
function directionsOf(letters: readonly string[], base: Direction): Map<number, Direction> {
  const strong = strongOf(letters, base)
  const seen = { left: countsOf(strong, 'left'), right: countsOf(strong, 'right') }
  const partners = partnersOf(letters)
  const found = new Map<number, Direction>()
  let before = base
  for (const [at, own] of strong.entries()) {
    const partner = partners.get(at)
    if (partner !== undefined) {
      const holds = (one: Direction): boolean => seen[one][at] !== seen[one][partner]
      const direction = holds(base) ? base : holds(before) ? before : undefined
      const isEmpty = !holds('left') && !holds('right')
      if (!isEmpty) {
        found.set(at, direction ?? base)
        found.set(partner, direction ?? base)
      }
    }
    before = found.get(at) ?? own ?? before
  }
  return found
}

/** Letters have a direction of their own; digits take that of the letters before them. */
function strongOf(letters: readonly string[], base: Direction): (Direction | undefined)[] {
  let before = base
  return letters.map((letter) => {
    if (/\p{L}/u.test(letter)) before = isRightToLeft(letter) ? 'right' : 'left'
    return /[\p{L}\p{Nd}]/u.test(letter) ? before : undefined
  })
}

/** How many letters of a direction stand before each place. */
function countsOf(strong: readonly (Direction | undefined)[], direction: Direction): number[] {
  let count = 0
  return strong.map((one) => (one === direction ? count++ : count))
}

/** The place of the closing bracket of each opening one. */
function partnersOf(letters: readonly string[]): Map<number, number> {
  const partners = new Map<number, number>()
  const open: { at: number; close: string }[] = []
  for (const [at, letter] of letters.entries()) {
    const close = closing.get(letter)
    if (close !== undefined && open.length < deepest) open.push({ at, close })
    if (!closes.has(letter)) continue
    const from = open.findLastIndex((one) => one.close === letter)
    const [partner] = from < 0 ? [] : open.splice(from)
    if (partner) partners.set(partner.at, at)
  }
  return partners
}

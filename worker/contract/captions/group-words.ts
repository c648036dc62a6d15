import { breakWords, type LineRule } from './caption-lines.ts'
import type { CaptionWord } from './caption-words.ts'

const minSeconds = 1
const maxSeconds = 7
/** After a silence of this length, a speaker begins a new thought. */
const pauseSeconds = 1
/** This many words take some milliseconds. */
const wordsPerTurn = 200

/** Groups words into phrases that fit into the lines of one caption each, and pauses now and then for other work. */
export function* groupWords(
  words: readonly CaptionWord[],
  rule: LineRule,
): Generator<undefined, CaptionWord[][]> {
  const groups: CaptionWord[][] = []
  let thoughtAt = 0
  let group: CaptionWord[] = []
  const close = (): void => {
    // The rest of a long thought shares its words with the caption before it.
    const before = groups.length > thoughtAt ? groups.pop() : undefined
    if (before) groups.push(...shareEvenly(before, group, rule))
    else if (group.length > 0) groups.push(group)
    group = []
  }
  for (const [i, word] of words.entries()) {
    if (i % wordsPerTurn === 0) yield
    if (group.length > 0 && endsThought(group, word)) {
      close()
      thoughtAt = groups.length
    } else if (group.length > 0 && !fits([...group, word], rule)) {
      groups.push(group)
      group = []
    }
    group.push(word)
  }
  close()
  return groups
}

function fits(group: readonly CaptionWord[], rule: LineRule): boolean {
  const seconds = (group.at(-1)?.endTime ?? 0) - (group[0]?.startTime ?? 0)
  return seconds <= maxSeconds && breakWords(group, rule) !== undefined
}

function endsThought(group: readonly CaptionWord[], word: CaptionWord): boolean {
  const [first] = group
  const last = group.at(-1)
  if (!first || !last) return false
  if (word.startTime - last.endTime >= pauseSeconds || word.speaker !== last.speaker) return true
  // Words that take less than a second stay in one caption with what follows, so that the caption does not flash past.
  const hasTime = word.startTime - first.startTime >= minSeconds
  return hasTime && (word.opens || last.ends)
}

/** Splits one thought into two captions of nearly equal length, so that no single word is left alone. */
function shareEvenly(
  before: readonly CaptionWord[],
  group: readonly CaptionWord[],
  rule: LineRule,
): CaptionWord[][] {
  const all = [...before, ...group]
  const shares = all.slice(1).map((_, i) => [all.slice(0, i + 1), all.slice(i + 1)])
  const [best] = shares
    .filter((both) => both.every((one) => fits(one, rule)))
    .sort((a, b) => unevenness(a) - unevenness(b))
  return best ?? [[...before], [...group]]
}

function unevenness([first = [], second = []]: readonly (readonly CaptionWord[])[]): number {
  const difference = Math.abs(lengthOf(first) - lengthOf(second))
  return /[,;:、，]$/u.test(first.at(-1)?.text ?? '') ? difference - 20 : difference
}

function lengthOf(group: readonly CaptionWord[]): number {
  return group.reduce((sum, { text }) => sum + text.length + 1, 0)
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Speech } from '../../timeline/speech.ts'
import { breakWords, fileLines, joined, type LineRule } from './break-lines.ts'
import { captionWords, type CaptionWord } from './caption-words.ts'

export type Caption = {
  readonly startMs: number
  readonly endMs: number
  /** One line or two. */
  readonly lines: readonly string[]
}

const minSeconds = 1
const maxSeconds = 7
/** After a silence of this length a speaker begins a new thought. */
const pauseSeconds = 1
/** Each turn takes some milliseconds, because other work shares this thread. */
const wordsPerTurn = 200
const groupsPerTurn = 50

/**
 * Makes the captions of the whole video, one after the other: at most two lines each, shown for one to seven seconds.
 */
export async function makeCaptions(speech: Speech, durationSeconds: number): Promise<Caption[]> {
  const groups = await groupWords(captionWords(speech), fileLines)
  const spans = placeInTime(
    groups.map((words) => ({
      startMs: toMs(words[0]?.startTime ?? 0),
      endMs: toMs(words.at(-1)?.endTime ?? 0),
    })),
    Math.floor(durationSeconds * 1_000),
  )
  const captions: Caption[] = []
  for (const [i, words] of groups.entries()) {
    if (i % groupsPerTurn === 0) await nextTurn()
    const span = spans[i]
    if (span) captions.push({ ...span, lines: (breakWords(words, fileLines) ?? []).map(joined) })
  }
  return captions
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000)

/** Groups words into phrases that fit into the lines of one caption each. */
export async function groupWords(
  words: readonly CaptionWord[],
  rule: LineRule,
): Promise<CaptionWord[][]> {
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
    if (i % wordsPerTurn === 0) await nextTurn()
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
  if (word.startTime - last.endTime >= pauseSeconds) return true
  // Words that take less than a second stay in one caption with what follows, so that the caption does not flash past.
  const hasTime = word.startTime - first.startTime >= minSeconds
  return hasTime && (word.opens || /[.!?。！？…]["'”’)\]]*$/u.test(last.text))
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

type Span = { readonly startMs: number; readonly endMs: number }

const minMs = 1_000
const maxMs = 7_000

/**
 * Gives each span, in order, one to seven seconds inside the video, without overlaps. A span starts at its own time if
 * there is room; if the video is too short for all of them, they share it evenly.
 */
function placeInTime(spans: readonly Span[], totalMs: number): Span[] {
  const leastMs = Math.min(minMs, Math.floor(totalMs / Math.max(1, spans.length)))
  const starts = startsFrom(spans, totalMs, leastMs)
  return starts.map((startMs, i) => {
    const wantedEnd = Math.max(spans[i]?.endMs ?? 0, startMs + leastMs)
    const endMs = Math.min(wantedEnd, startMs + maxMs, starts[i + 1] ?? totalMs)
    return { startMs, endMs }
  })
}

/** Starts as wanted, but each at least `leastMs` after the one before, and early enough for all later ones. */
function startsFrom(spans: readonly Span[], totalMs: number, leastMs: number): number[] {
  const starts: number[] = []
  spans.forEach(({ startMs }, i) => {
    const latest = totalMs - (spans.length - i) * leastMs
    const earliest = (starts.at(-1) ?? -leastMs) + leastMs
    starts.push(Math.max(earliest, Math.min(startMs, latest), 0))
  })
  return starts
}

import type { Speech } from '../../speech/speech-provider.ts'
import { breakLines } from './break-lines.ts'
import { captionWords, type CaptionWord } from './caption-words.ts'
import { placeInTime } from './place-in-time.ts'

export type Caption = {
  readonly startMs: number
  readonly endMs: number
  /** One or two. */
  readonly lines: readonly string[]
}

const minSeconds = 1
export const maxSeconds = 7
/** Whoever is silent for so long begins a new thought. */
const pauseSeconds = 1

/** Captions of the whole video: at most two lines each, for one to seven seconds, one after the other. */
export function makeCaptions(speech: Speech, durationSeconds: number): Caption[] {
  const groups = groupWords(captionWords(speech))
  const spans = placeInTime(
    groups.map((words) => ({
      startMs: toMs(words[0]?.startTime ?? 0),
      endMs: toMs(words.at(-1)?.endTime ?? 0),
    })),
    Math.floor(durationSeconds * 1_000),
  )
  return groups.flatMap((words, i) => {
    const span = spans[i]
    return span ? [{ ...span, lines: breakLines(words) ?? [] }] : []
  })
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000)

function groupWords(words: readonly CaptionWord[]): CaptionWord[][] {
  const groups: CaptionWord[][] = []
  let group: CaptionWord[] = []
  for (const word of words) {
    if (group.length > 0 && endsBefore(group, word)) {
      groups.push(group)
      group = []
    }
    group.push(word)
  }
  return group.length > 0 ? [...groups, group] : groups
}

function endsBefore(group: readonly CaptionWord[], word: CaptionWord): boolean {
  const [first] = group
  const last = group.at(-1)
  if (!first || !last) return false
  const isFull = breakLines([...group, word]) === undefined
  const isLong = word.endTime - first.startTime > maxSeconds
  if (isFull || isLong || word.startTime - last.endTime >= pauseSeconds) return true
  // What is said in less than a second is better shown with what follows than chased away by it.
  const hasTime = word.startTime - first.startTime >= minSeconds
  return hasTime && (word.opens || /[.!?。！？…]["'”’)\]]*$/u.test(last.text))
}

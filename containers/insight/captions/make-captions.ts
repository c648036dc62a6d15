import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Speech } from '../../timeline/speech.ts'
import { breakWords, fileLines, joined } from '../../../worker/contract/captions/caption-lines.ts'
import { captionWords } from '../../../worker/contract/captions/caption-words.ts'
import { groupWords } from '../../../worker/contract/captions/group-words.ts'
import type { Caption } from '../../../worker/contract/captions/write-captions.ts'

/** Each turn takes some milliseconds, because other work shares this thread. */
const groupsPerTurn = 50

/**
 * Makes the captions of the whole video, one after the other: at most two lines each, shown for one to seven seconds.
 */
export async function makeCaptions(speech: Speech, durationSeconds: number): Promise<Caption[]> {
  const groups = await runWithPauses(groupWords(captionWords(speech), fileLines))
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
    const lines = (breakWords(words, fileLines) ?? []).map(joined)
    if (span) captions.push({ ...span, lines, speaker: words[0]?.speaker })
  }
  return captions
}

/** Gives up the thread to other work whenever the generator pauses. */
export async function runWithPauses<Made>(work: Generator<undefined, Made>): Promise<Made> {
  let step = work.next()
  while (step.done !== true) {
    await nextTurn()
    step = work.next()
  }
  return step.value
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000)

type CueSpan = { readonly startMs: number; readonly endMs: number }

const minMs = 1_000
const maxMs = 7_000

/**
 * Gives each span, in order, one to seven seconds inside the video, without overlaps. A span starts at its own time if
 * there is room; if the video is too short for all of them, they share it evenly.
 */
function placeInTime(spans: readonly CueSpan[], totalMs: number): CueSpan[] {
  const leastMs = Math.min(minMs, Math.floor(totalMs / Math.max(1, spans.length)))
  const starts = startsFrom(spans, totalMs, leastMs)
  return starts.map((startMs, i) => {
    const wantedEnd = Math.max(spans[i]?.endMs ?? 0, startMs + leastMs)
    const endMs = Math.min(wantedEnd, startMs + maxMs, starts[i + 1] ?? totalMs)
    return { startMs, endMs }
  })
}

/** Starts as wanted, but each at least `leastMs` after the one before, and early enough for all later ones. */
function startsFrom(spans: readonly CueSpan[], totalMs: number, leastMs: number): number[] {
  const starts: number[] = []
  spans.forEach(({ startMs }, i) => {
    const latest = totalMs - (spans.length - i) * leastMs
    const earliest = (starts.at(-1) ?? -leastMs) + leastMs
    starts.push(Math.max(earliest, Math.min(startMs, latest), 0))
  })
  return starts
}

import { retimeSpeech, type Speech } from '../../timeline/speech.ts'
import type { TimeSpan } from '../../../worker/contract/layout/kept-time.ts'

/** A part of the raw timeline, and its place in the sound that is transcribed. */
export type HeardSpan = TimeSpan & { readonly at: number }

/**
 * Removed parts up to this many seconds are transcribed too, so that the words around them are recognised as they are
 * without the cut. Longer ones are left out …
 */
const longest = 10
/** … except for this many seconds at either end (nobody speaks in a pause, but somebody may in what a request removes) … */
const context = { silent: 1, asked: 3 }
/** … with a silence in between, so that the recogniser does not join the sentences on both sides. */
export const silenceBetween = 1.2

type GoingTimes = {
  readonly asked: readonly TimeSpan[]
  readonly silent: readonly TimeSpan[]
  /** Whether the sound goes to a remote provider: then no part that the request removes leaves the machine. */
  readonly isSentAway: boolean
}

/** Chooses the parts of a timeline to transcribe. The removed parts are in order and do not overlap. */
export function chooseHeard(
  totalSeconds: number,
  { asked, silent, isSentAway }: GoingTimes,
): HeardSpan[] {
  const middleOf = (spans: readonly TimeSpan[], ends: number): TimeSpan[] =>
    spans
      .filter(({ from, to }) => to - from > longest)
      .map(({ from, to }) => ({
        from: from <= 0 ? 0 : from + ends,
        to: to >= totalSeconds ? totalSeconds : to - ends,
      }))
  const unheard = [
    ...(isSentAway ? asked : middleOf(asked, context.asked)),
    ...middleOf(silent, context.silent),
  ].toSorted((a, b) => a.from - b.from)
  const starts = [0, ...unheard.map(({ to }) => to)]
  let at = 0
  return starts.flatMap((from, i): HeardSpan[] => {
    const span = { from, to: unheard[i]?.from ?? totalSeconds, at }
    if (span.to <= from) return []
    at += span.to - from + silenceBetween
    return [span]
  })
}

/** The length of the sound that these parts make. */
export function heardLength(heard: readonly HeardSpan[]): number {
  const last = heard.at(-1)
  return last ? last.at + last.to - last.from : 0
}

/** Moves the times of the speech back to the raw timeline. */
export function onRawTimeline(speech: Speech, heard: readonly HeardSpan[]): Speech {
  const momentOf = (seconds: number): number => {
    const span = heard.findLast(({ at }) => at <= seconds) ?? heard[0]
    return span ? Math.min(span.to, span.from + Math.max(0, seconds - span.at)) : 0
  }
  return retimeSpeech(speech, momentOf)
}

import type { Speech, SpeechSegment } from '../../speech/speech-provider.ts'
import type { TimeSpan } from './kept-time.ts'

/** A part of the raw timeline, and where it begins in the sound that is heard. */
export type HeardSpan = TimeSpan & { readonly at: number }

/**
 * What goes is heard all the same, so that the words around it are heard as they were said, unless it is longer than this:
 * in a pause nothing is said, what somebody asked to go is nobody's business …
 */
const longestPause = 10
const longestAsked = 3.2
/** … and then of it so much at either end, */
const context = 1
/** with a silence in between, so that nobody takes what follows for the same sentence. */
export const silenceBetween = 1.2

type Going = {
  readonly asked: readonly TimeSpan[]
  readonly silent: readonly TimeSpan[]
  /** Somebody else hears it: then nothing of what was asked to go leaves the machine. */
  readonly isSentAway: boolean
}

/** What has to be heard of a timeline of which these parts will go: in order, without overlap. */
export function chooseHeard(
  totalSeconds: number,
  { asked, silent, isSentAway }: Going,
): HeardSpan[] {
  const withoutEnds = ({ from, to }: TimeSpan): TimeSpan => ({
    from: from <= 0 ? 0 : from + context,
    to: to >= totalSeconds ? totalSeconds : to - context,
  })
  const unheard = [
    ...(isSentAway ? asked : longerThan(longestAsked, asked).map(withoutEnds)),
    ...longerThan(longestPause, silent).map(withoutEnds),
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

function longerThan(seconds: number, spans: readonly TimeSpan[]): TimeSpan[] {
  return spans.filter(({ from, to }) => to - from > seconds)
}

/** How long the sound of these parts is. */
export function heardSeconds(heard: readonly HeardSpan[]): number {
  const last = heard.at(-1)
  return last ? last.at + last.to - last.from : 0
}

/** What was heard, on the raw timeline. */
export function onRawTimeline(speech: Speech, heard: readonly HeardSpan[]): Speech {
  const momentOf = (seconds: number): number => {
    const span = heard.findLast(({ at }) => at <= seconds) ?? heard[0]
    return span ? Math.min(span.to, span.from + Math.max(0, seconds - span.at)) : 0
  }
  const onRaw = <Said extends Pick<SpeechSegment, 'startTime' | 'endTime'>>(said: Said): Said => ({
    ...said,
    startTime: momentOf(said.startTime),
    endTime: momentOf(said.endTime),
  })
  return {
    ...speech,
    segments: speech.segments.map(({ words, ...segment }) => ({
      ...onRaw(segment),
      ...(words && { words: words.map(onRaw) }),
    })),
  }
}

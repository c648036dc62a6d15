import type { TimeSpan } from '../../../worker/contract/layout/kept-time.ts'
import { fewWarnings } from '../../errors/few-warnings.ts'
import type { Speech, Transcription } from '../../timeline/speech.ts'
import { beginOf, endOf } from '../edit/cut-words.ts'
import { whyUnheard } from '../edit/cut-spoken.ts'
import { joinedPlaces } from '../edit/cut-text.ts'
import { findCovered, tokensOf, type Token } from './find-covered.ts'

/** `phrase`: the index of the phrase that is said there. */
type CoveredSpan = TimeSpan & { readonly phrase: number }

/** The spans to cover, in seconds of the timeline that was transcribed. */
export type CoveredWords = {
  readonly spans: readonly CoveredSpan[]
  readonly warnings: readonly string[]
}

/** Recognisers place nearly every word within this many seconds of where it is spoken. */
const margin = 0.1

/** Finds where these phrases are spoken. Warnings name those that were not found or could not be timed. */
export function coverWords(transcription: Transcription, phrases: readonly string[]): CoveredWords {
  if (transcription.outcome !== 'heard') {
    return nothing(`nothing was covered. ${whyUnheard(transcription)}`)
  }
  const { speech } = transcription
  if (speech.segments.length === 0) return nothing('nobody speaks in this video.')
  const said = timedTexts(speech)
  const tokens = tokensOf(
    said.map(({ text }) => text),
    speech.language,
  )
  const places = findCovered(tokens, phrases, speech.language)
  const words = tokens.map((token) => timeOf(token, said))
  const untimed = places.filter(({ first, last }) => !spanOf(words, first, last))
  const missing = [...phrases.keys()].filter((i) => !places.some(({ phrase }) => phrase === i))
  const told = [
    ...missing.map((i) => ({ i, why: 'was not heard.' })),
    ...[...new Set(untimed.map(({ phrase }) => phrase))].map((i) => ({ i, why: withoutTimes })),
  ]
  return {
    // Two that follow each other stay two.
    spans: joinedPlaces(
      places.filter((place) => !untimed.includes(place)),
      0,
    ).flatMap(({ first, last, phrase }) => {
      const span = spanOf(words, first, last)
      return span ? [{ ...span, phrase }] : []
    }),
    warnings: fewWarnings(
      told.map(({ i, why }) => `bleep[${i}]: “${phrases[i] ?? ''}” ${why}`),
      (count) => `bleep: ${count} more were not heard, or not timed.`,
    ),
  }
}

const withoutTimes =
  'is said, but the speech provider does not tell when each word is said, so it is only masked in the texts.'

function nothing(why: string): CoveredWords {
  return { spans: [], warnings: [`bleep: ${why}`.slice(0, 500)] }
}

type MaybeTimed = {
  readonly text: string
  readonly startTime: number | undefined
  readonly endTime: number | undefined
}

/** A segment without times for its words tells only that they are somewhere in it. */
function timedTexts({ segments }: Speech): MaybeTimed[] {
  return segments.flatMap(({ words, text }): readonly MaybeTimed[] =>
    words?.length ? words : [{ text, startTime: undefined, endTime: undefined }],
  )
}

/** A part of a word gets its share of the time. */
function timeOf({ source, from, to }: Token, said: readonly MaybeTimed[]) {
  const { text, startTime, endTime } = said[source] ?? { text: '' }
  if (startTime === undefined || endTime === undefined) {
    return { text, startTime: undefined, endTime: undefined }
  }
  const at = (chars: number): number =>
    startTime + ((endTime - startTime) * chars) / Math.max(1, text.length)
  return { text, startTime: at(from), endTime: at(to) }
}

/** The span with a margin, which extends no further into a neighbouring word than a cut does. */
function spanOf(
  words: readonly ReturnType<typeof timeOf>[],
  first: number,
  last: number,
): TimeSpan | undefined {
  const [begin, end] = [words[first]?.startTime, words[last]?.endTime]
  if (begin === undefined || end === undefined) return undefined
  return {
    from: Math.min(begin, Math.max(0, begin - margin, endOf(words[first - 1]))),
    to: Math.max(end, Math.min(end + margin, beginOf(words[last + 1]))),
  }
}

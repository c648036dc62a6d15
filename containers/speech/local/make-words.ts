import type { Word } from '../speech-provider.ts'
import type { TimedToken } from './decode-window.ts'
import { beginsWord, textOf, type Vocabulary } from './vocabulary.ts'

/** In seconds. */
export type Spoken = { readonly start: number; readonly end: number }

/** The detector needs a moment to notice a voice. */
const detectorDelay = 0.06
const shortestWord = 0.04

/** The words that tokens spell, each within the time in which somebody speaks. */
export function makeWords(
  tokens: readonly TimedToken[],
  vocabulary: Vocabulary,
  speech: readonly Spoken[],
): Word[] {
  const spelled = spell(tokens, vocabulary)
  let earliest = 0
  const starts = spelled.map(({ seconds }, index) => {
    const next = spelled[index + 1]?.seconds ?? Number.POSITIVE_INFINITY
    earliest = Math.max(earliest, withVoice(seconds, next, speech))
    return earliest
  })
  return spelled.map(({ text }, index) => {
    const startTime = starts[index] ?? 0
    return { text, startTime, endTime: endOf(startTime, starts[index + 1], speech) }
  })
}

function spell(
  tokens: readonly TimedToken[],
  vocabulary: Vocabulary,
): { text: string; seconds: number }[] {
  const groups: TimedToken[][] = []
  for (const timed of tokens) {
    if (groups.length === 0 || beginsWord(vocabulary, timed.token)) groups.push([timed])
    else groups.at(-1)?.push(timed)
  }
  return groups.flatMap((group) => {
    const text = textOf(
      vocabulary,
      group.map(({ token }) => token),
    )
    const [first] = group
    return text === '' || !first ? [] : [{ text, seconds: first.seconds }]
  })
}

/** A word that seems to begin in a pause begins when the voice comes back, if that is before the next word. */
function withVoice(seconds: number, next: number, speech: readonly Spoken[]): number {
  const heard = speech.find(({ end }) => end > seconds)
  if (!heard) return seconds
  const voice = heard.start - detectorDelay
  return voice > seconds && voice < next ? voice : seconds
}

/** A word lasts until the next one, or until the voice stops. */
function endOf(start: number, next: number | undefined, speech: readonly Spoken[]): number {
  const heard = speech.find(({ end }) => end > start + shortestWord)
  const silence = heard?.end ?? start + shortestWord
  return Math.max(start + shortestWord, Math.min(silence, next ?? silence))
}

import { isUnspaced } from '../../../worker/contract/captions/unspaced.ts'
import type { Speech, SpeechSegment } from '../../timeline/speech.ts'
import {
  segmenterOf,
  shareTime,
  writtenWords,
} from '../../../worker/contract/captions/caption-words.ts'
import { plainLetters } from './plain-letters.ts'

/** A word of the joined timeline in the form in which it is searched. */
export type SpokenWord = {
  readonly text: string
  readonly letters: string
  /** When it begins and ends; undefined if the provider does not say. */
  readonly startTime: number | undefined
  readonly endTime: number | undefined
  readonly speaker?: string
}

/**
 * All words in order, without those that are only punctuation. In languages without spaces every letter counts as one, because
 * no two providers agree where their words end.
 */
export function spokenWords(speech: Speech): SpokenWord[] {
  const inLetters = isUnspaced(speech.language)
  return speech.segments
    .flatMap((segment) => {
      const said = inLetters ? lettersOf(segment) : wordsOf(segment, speech.language)
      const { speaker } = segment
      return speaker === undefined ? said : said.map((word) => ({ ...word, speaker }))
    })
    .map((word) => ({ ...word, letters: plainLetters(word.text, speech.language) }))
    .filter(({ letters }) => letters !== '')
}

type SaidText = Pick<SpokenWord, 'text' | 'startTime' | 'endTime'>

function wordsOf({ words, ...segment }: SpeechSegment, language: string): SaidText[] {
  if (words?.length)
    return words.map(({ text, startTime, endTime }) => ({ text, startTime, endTime }))
  const written = writtenWords(segment.text, segmenterOf(language))
  return untimed(
    written.map(({ text }) => text),
    segment,
  )
}

function lettersOf({ words, ...segment }: SpeechSegment): SaidText[] {
  if (words?.length) return words.flatMap((word) => shareTime(word, [...word.text]))
  return untimed([...segment.text], segment)
}

/** Of a segment without word times, only the two ends are known. */
function untimed(texts: readonly string[], { startTime, endTime }: SpeechSegment): SaidText[] {
  return texts.map((text, i) => ({
    text,
    startTime: i === 0 ? startTime : undefined,
    endTime: i === texts.length - 1 ? endTime : undefined,
  }))
}

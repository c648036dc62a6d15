import type { Speech, SpeechSegment, Word } from '../../speech/speech-provider.ts'
import { isUnspaced } from '../settle-speech.ts'

/** A word, or a part of one, as it stands in a caption. */
export type CaptionWord = Word & {
  /** Whether a space stands before it. */
  readonly spaced: boolean
  /** Whether it is the first of its segment. */
  readonly opens: boolean
}

/** Longest run of characters without a place to break. */
export const maxLineChars = 42

/** The words of everything that is said, each with its time: the provider's, or its share of the segment's. */
export function captionWords({ language, segments }: Speech): CaptionWord[] {
  const segmenter = segmenterOf(language)
  return segments.flatMap((segment) => {
    const words = timedWords(segment, segmenter)
    return words
      .flatMap((word) => cutLongWord(word))
      .map((word, i) => ({ ...word, opens: i === 0 }))
  })
}

type Piece = Word & { spaced: boolean }

function timedWords(segment: SpeechSegment, segmenter: Intl.Segmenter | undefined): Piece[] {
  const written = writtenWords(segment.text, segmenter)
  const spaced = segmenter === undefined
  const { words = [] } = segment
  // Providers time words without their punctuation; the segment has it.
  if (words.length === written.length) {
    return words.map((word, i) => ({ ...word, text: written[i] ?? word.text, spaced }))
  }
  if (words.length > 0 && spaced) return words.map((word) => ({ ...word, spaced }))
  return shareTime(segment, written).map((word) => ({ ...word, spaced }))
}

/** For a language that is written without spaces between words. */
export function segmenterOf(language: string): Intl.Segmenter | undefined {
  return isUnspaced(language) ? new Intl.Segmenter(language, { granularity: 'word' }) : undefined
}

export function writtenWords(text: string, segmenter: Intl.Segmenter | undefined): string[] {
  return segmenter
    ? joinPunctuation([...segmenter.segment(text)])
    : text.split(/\s+/u).filter((word) => word !== '')
}

/** A mark stays with the word before it. */
function joinPunctuation(parts: readonly Intl.SegmentData[]): string[] {
  const joined: string[] = []
  for (const { segment, isWordLike } of parts) {
    const last = joined.length - 1
    if (isWordLike || last < 0) joined.push(segment)
    else joined[last] += segment
  }
  return joined.map((text) => text.trim()).filter((text) => text !== '')
}

/** Words that nobody timed, each with the time that its length is of the whole. */
export function shareTime(
  { startTime, endTime }: Pick<Word, 'startTime' | 'endTime'>,
  texts: readonly string[],
): Word[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  let before = 0
  return texts.map((text) => {
    const at = (chars: number): number => startTime + ((endTime - startTime) * chars) / total
    const word = { text, startTime: at(before), endTime: at(before + text.length) }
    before += text.length
    return word
  })
}

function cutLongWord(word: Piece): Piece[] {
  const letters = [...word.text]
  if (letters.length <= maxLineChars) return [word]
  const count = Math.ceil(letters.length / maxLineChars)
  const parts = Array.from({ length: count }, (_, i) =>
    letters.slice(i * maxLineChars, (i + 1) * maxLineChars).join(''),
  )
  return shareTime(word, parts).map((part, i) => ({ ...part, spaced: i === 0 && word.spaced }))
}

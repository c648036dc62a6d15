import type { Speech, SpeechSegment, Word } from '../../timeline/speech.ts'
import { isUnspaced } from '../../speech/unspaced.ts'

/** A word, or a part of one, as a caption shows it. */
export type CaptionWord = Word & {
  /** Whether a space comes before it. */
  readonly spaced: boolean
  /** Whether it is the first of its segment. */
  readonly opens: boolean
}

/** The longest line, and so the longest piece without a place to break. */
export const maxLineChars = 42

/** Lists all spoken words with their times: those of the provider, or a share of the segment's time. */
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
  // Words of providers come without punctuation; the text of the segment has it.
  if (words.length === written.length) {
    return words.map((word, i) => ({ ...word, text: written[i] ?? word.text, spaced }))
  }
  if (words.length > 0 && spaced) return words.map((word) => ({ ...word, spaced }))
  return shareTime(segment, written).map((word) => ({ ...word, spaced }))
}

/** Splits languages that are written without spaces between words; undefined for others. */
export function segmenterOf(language: string): Intl.Segmenter | undefined {
  return isUnspaced(language) ? new Intl.Segmenter(language, { granularity: 'word' }) : undefined
}

export function writtenWords(text: string, segmenter: Intl.Segmenter | undefined): string[] {
  return segmenter
    ? joinPunctuation([...segmenter.segment(text)])
    : text.split(/\s+/u).filter((word) => word !== '')
}

/** Joins each punctuation mark to the word before it. */
function joinPunctuation(parts: readonly Intl.SegmentData[]): string[] {
  const joined: string[] = []
  for (const { segment, isWordLike } of parts) {
    const last = joined.length - 1
    if (isWordLike || last < 0) joined.push(segment)
    else joined[last] += segment
  }
  return joined.map((text) => text.trim()).filter((text) => text !== '')
}

/** Gives words without times a share of the whole time, in proportion to their length. */
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

import { endsSentence } from './sentence-end.ts'
import { isUnspaced, spaceBetween } from './unspaced.ts'
import { inGroups } from '../in-groups.ts'
import type { Timed } from '../layout/word-left.ts'

/** A spoken text, with its seconds. */
export type TimedText = Timed & { readonly text: string }
type Segment = TimedText & {
  readonly words?: readonly TimedText[] | undefined
  readonly speaker?: string | undefined
}
type SpokenSegments = { readonly language: string; readonly segments: readonly Segment[] }

/** A word, or a part of one, as a caption shows it. */
export type CaptionWord = TimedText & {
  /** Whether a space comes before it. */
  readonly spaced: boolean
  /** Whether it is the first of its segment. */
  readonly opens: boolean
  /** Whether a sentence ends after it. */
  readonly ends: boolean
  readonly speaker?: string | undefined
}

/** The longest line, and so the longest piece without a place to break. */
export const maxLineChars = 42

/** Lists all spoken words with their times: those of the provider, or a share of the segment's time. */
export function captionWords({ language, segments }: SpokenSegments): CaptionWord[] {
  const segmenter = segmenterOf(language)
  return segments.flatMap((segment, place) => {
    const before = segments[place - 1]?.text ?? ''
    const spaced = spaceBetween(before, segment.text, language)
    const [first, ...others] = timedWords(segment, segmenter)
    const words = first ? [{ ...first, spaced }, ...others] : []
    return words
      .flatMap((word) => cutLongWord(word))
      .map((word, i) => ({
        ...word,
        ...{ opens: i === 0, ends: endsSentence(word.text, language) },
        speaker: segment.speaker,
      }))
  })
}

type LinePiece = TimedText & { spaced: boolean }

function timedWords(segment: Segment, segmenter: Intl.Segmenter | undefined): LinePiece[] {
  const written = writtenWords(segment.text, segmenter)
  const { words = [] } = segment
  // Words of providers come without punctuation; the text of the segment has it.
  if (words.length === written.length) {
    return words.map((word, i) => ({ ...word, text: word.text, spaced: true, ...written[i] }))
  }
  if (words.length > 0 && !segmenter) return words.map((word) => ({ ...word, spaced: true }))
  const texts = written.map(({ text }) => text)
  return shareTime(segment, texts).map((word, i) => ({
    ...word,
    spaced: written[i]?.spaced ?? true,
  }))
}

/** Splits languages that are written without spaces between words; undefined for others. */
export function segmenterOf(language: string): Intl.Segmenter | undefined {
  return isUnspaced(language) ? new Intl.Segmenter(language, { granularity: 'word' }) : undefined
}

type WrittenWord = Pick<CaptionWord, 'text' | 'spaced'>

/** The words of a text, each with the marks at it, and whether a space stands before it. */
export function writtenWords(text: string, segmenter: Intl.Segmenter | undefined): WrittenWord[] {
  const blanks = text.split(/\s+/u).filter((word) => word !== '')
  if (!segmenter) return blanks.map((word) => ({ text: word, spaced: true }))
  return blanks.flatMap((word) =>
    joinPunctuation([...segmenter.segment(word)]).map((part, i) => ({
      text: part,
      spaced: i === 0,
    })),
  )
}

/** Joins a mark to the word before it; an opening mark, or one at the beginning, to the word after it. */
function joinPunctuation(parts: readonly Intl.SegmentData[]): string[] {
  const joined: string[] = []
  let opening = ''
  for (const { segment, isWordLike } of parts) {
    const last = joined.length - 1
    if (isWordLike) {
      joined.push(opening + segment)
      opening = ''
    } else if (last < 0 || opensWord.test(segment)) opening += segment
    else joined[last] += opening + segment
  }
  if (opening === '') return joined
  return joined.length === 0 ? [opening] : [...joined.slice(0, -1), `${joined.at(-1)}${opening}`]
}

const opensWord = /^[\p{Ps}\p{Pi}]/u

/** Gives words without times a share of the whole time, in proportion to their length. */
export function shareTime({ startTime, endTime }: Timed, texts: readonly string[]): TimedText[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  let before = 0
  return texts.map((text) => {
    const at = (chars: number): number => startTime + ((endTime - startTime) * chars) / total
    const word = { text, startTime: at(before), endTime: at(before + text.length) }
    before += text.length
    return word
  })
}

function cutLongWord(word: LinePiece): LinePiece[] {
  const letters = [...word.text]
  if (letters.length <= maxLineChars) return [word]
  const parts = inGroups(letters, maxLineChars).map((part) => part.join(''))
  return shareTime(word, parts).map((part, i) => ({ ...part, spaced: i === 0 && word.spaced }))
}

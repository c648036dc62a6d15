import type { Speech, SpeechSegment, Word } from '../../timeline/speech.ts'
import {
  segmenterOf,
  shareTime,
  writtenWords,
} from '../../../worker/contract/captions/caption-words.ts'
import type { KeptTime } from '../../../worker/contract/layout/kept-time.ts'
import { goesOn, isHeard } from '../../../worker/contract/layout/word-left.ts'

/** The parts of the raw timeline that the cuts keep. */
export type Cuts = {
  /** The parts that all cuts together keep. */
  readonly all: KeptTime
  /** Everything but the segments, words and fillers that the request removes. */
  readonly asked: KeptTime
  /** Like `asked`, but with the fillers. */
  readonly worded: KeptTime
  /** What would be left if only silences were removed. */
  readonly voiced: KeptTime
}

/**
 * Moves the speech from the raw timeline to that of the finished video. A word is dropped unless all of it is kept: the text
 * must not reveal what the cut removed. A segment ends at a cut.
 */
export function carryWords(speech: Speech, cuts: Cuts): Speech {
  const segmenter = segmenterOf(speech.language)
  return {
    ...speech,
    segments: speech.segments.flatMap((segment) =>
      segment.words?.length
        ? carryTimed(segment, segment.words, cuts)
        : carryUntimed(segment, segmenter, cuts),
    ),
  }
}

/** A word, and the part of the text that it stands for. */
type WordPiece = { readonly word: Word; readonly written: string }

function carryTimed(segment: SpeechSegment, words: readonly Word[], cuts: Cuts): SpeechSegment[] {
  const texts = words.map(({ text }) => text)
  const parts = splitText(segment.text, texts) ?? texts.map((text) => `${text.trim()} `)
  const pieces = words.map((word, i) => ({ word, written: parts[i] ?? word.text }))
  const groups = groupKept(pieces, (word) => isHeard(word, cuts), cuts.all)
  const isWhole = groups.length === 1 && groups[0]?.length === pieces.length
  return groups.map((group) => {
    const placed = group.map(({ word }) => ({ ...word, ...placeIn(cuts.all, word) }))
    return {
      startTime: placed[0]?.startTime ?? 0,
      endTime: placed.at(-1)?.endTime ?? 0,
      text: isWhole ? segment.text : textOf(group),
      words: placed,
      ...speakerOf(segment),
    }
  })
}

/**
 * The possible error of word times that were estimated from the time of their segment. Without times, it is not known which
 * word was said in a removed part, so those around it are dropped too.
 */
const guessSeconds = 0.5

/**
 * For segments without word times: assumes that the words share the time in which somebody speaks. Drops the words that
 * may have been said in a removed segment; a removed pause or filler drops no word.
 */
function carryUntimed(
  segment: SpeechSegment,
  segmenter: Intl.Segmenter | undefined,
  cuts: Cuts,
): SpeechSegment[] {
  const { all, asked, worded, voiced } = cuts
  const written = writtenWords(segment.text, segmenter).map(({ text }) => text)
  const parts = splitText(segment.text, written)
  const pieces = shareTime(placeIn(voiced, segment), written).map((word, i): WordPiece => {
    const startTime = voiced.momentAt(word.startTime)
    const endTime = voiced.momentAt(word.endTime)
    return { word: { ...word, startTime, endTime }, written: parts?.[i] ?? `${word.text} ` }
  })
  const isFarFromCuts = ({ startTime, endTime }: Word): boolean =>
    worded.isWhole(
      Math.max(segment.startTime, startTime - guessSeconds),
      Math.min(segment.endTime, endTime + guessSeconds),
    )
  const groups = groupKept(pieces, isFarFromCuts, asked)
  const [only] = groups
  if (groups.length === 1 && only?.length === pieces.length) {
    return [{ ...placeIn(all, segment), text: segment.text, ...speakerOf(segment) }]
  }
  return groups.map((group) => {
    const startTime = group[0]?.word.startTime ?? 0
    const endTime = group.at(-1)?.word.endTime ?? 0
    return {
      ...placeIn(all, { startTime, endTime }),
      text: textOf(group),
      ...speakerOf(segment),
    }
  })
}

function speakerOf({ speaker }: SpeechSegment): Pick<SpeechSegment, 'speaker'> {
  return speaker === undefined ? {} : { speaker }
}

/** Groups the kept words into runs without gaps. */
function groupKept(
  pieces: readonly WordPiece[],
  isKept: (word: Word) => boolean,
  kept: KeptTime,
): WordPiece[][] {
  const groups: WordPiece[][] = []
  let before: Word | undefined
  for (const piece of pieces) {
    const { word } = piece
    if (!isKept(word)) {
      before = undefined
      continue
    }
    if (before && goesOn(before, word, kept)) groups.at(-1)?.push(piece)
    else groups.push([piece])
    before = word
  }
  return groups
}

function placeIn(kept: KeptTime, { startTime, endTime }: Pick<Word, 'startTime' | 'endTime'>) {
  const begin = kept.placeOf(startTime)
  // A word that extends into a transition would otherwise end before it begins.
  return { startTime: begin, endTime: Math.max(begin, kept.placeOf(endTime)) }
}

function textOf(group: readonly WordPiece[]): string {
  return group
    .map(({ written }) => written)
    .join('')
    .trim()
}

/**
 * Splits the text of a segment into one part per word, each with the punctuation and the space around its word;
 * undefined if the text has other words. Providers time words without punctuation and capitals, which only the text
 * has.
 */
export function splitText(text: string, words: readonly string[]): string[] | undefined {
  const begins: number[] = []
  const plain = text.toLowerCase()
  // A letter with a longer lower-case form would shift all that follow it.
  if (plain.length !== text.length) return undefined
  let from = 0
  for (const word of words) {
    const letters = bare(word)
    const at = letters === '' ? -1 : plain.indexOf(letters, from)
    if (at === -1 || skipsWord(text.slice(from, at))) return undefined
    begins.push(at)
    from = at + letters.length
  }
  if (begins.length === 0 || skipsWord(text.slice(from))) return undefined
  const cuts = begins.map((begin, i) => (i === 0 ? 0 : partBefore(text, begin)))
  return cuts.map((cut, i) => text.slice(cut, cuts[i + 1] ?? text.length))
}

const bare = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const skipsWord = (between: string): boolean => /[\p{L}\p{N}]/u.test(between)

/** Punctuation directly before a word, such as an opening quote, belongs to it. */
function partBefore(text: string, begin: number): number {
  let at = begin
  while (at > 0 && /[^\s\p{L}\p{N}]/u.test(text[at - 1] ?? '')) at--
  return /\s/u.test(text[at - 1] ?? '') ? at : begin
}

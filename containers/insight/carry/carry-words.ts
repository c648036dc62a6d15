import type { Speech, SpeechSegment, Word } from '../../speech/speech-provider.ts'
import { segmenterOf, shareTime, writtenWords } from '../captions/caption-words.ts'
import type { KeptTime, TimeSpan } from './kept-time.ts'
import { splitText } from './split-text.ts'

/** What the cuts leave of the raw timeline. */
export type Cuts = {
  /** After all of them. */
  readonly all: KeptTime
  /** After those that somebody asked for by their times. */
  readonly asked: KeptTime
  /** After those in which nobody speaks, as if nothing else had been cut. */
  readonly voiced: KeptTime
}

/**
 * What was heard on the raw timeline, on that of the finished video. A word goes when most of it was cut, and a segment
 * ends where a cut is.
 */
export function carryWords(speech: Speech, cuts: Cuts): Speech {
  const segmenter = segmenterOf(speech.language)
  return {
    ...speech,
    segments: speech.segments.flatMap((segment) =>
      segment.words?.length
        ? carryTimed(segment, segment.words, cuts)
        : carryUntimed(segment, writtenWords(segment.text, segmenter), cuts),
    ),
  }
}

/** A word, with the part of the text that it stands for. */
type Piece = { readonly word: Word; readonly written: string }

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
    }
  })
}

/**
 * Where each word is said can only be guessed: they share the time in which somebody speaks. What falls into a part that was
 * asked to go is left out; a pause that goes takes no word with it.
 */
function carryUntimed(
  segment: SpeechSegment,
  written: readonly string[],
  cuts: Cuts,
): SpeechSegment[] {
  const { all, asked, voiced } = cuts
  const parts = splitText(segment.text, written)
  const pieces = shareTime(placeIn(voiced, segment), written).map((word, i): Piece => {
    const startTime = voiced.momentAt(word.startTime)
    const endTime = voiced.momentAt(word.endTime)
    return { word: { ...word, startTime, endTime }, written: parts?.[i] ?? `${word.text} ` }
  })
  const groups = groupKept(pieces, (word) => isMostlyIn(asked, word), asked)
  const [only] = groups
  if (groups.length === 1 && only?.length === pieces.length) {
    return [{ ...placeIn(all, segment), text: segment.text }]
  }
  return groups.map((group) => {
    const startTime = group[0]?.word.startTime ?? 0
    const endTime = group.at(-1)?.word.endTime ?? 0
    return { ...placeIn(all, { startTime, endTime }), text: textOf(group) }
  })
}

/** Runs of words that are kept, with nothing missing between them. */
function groupKept(
  pieces: readonly Piece[],
  isKept: (word: Word) => boolean,
  kept: KeptTime,
): Piece[][] {
  const groups: Piece[][] = []
  let before: Word | undefined
  for (const piece of pieces) {
    const { word } = piece
    if (!isKept(word)) {
      before = undefined
      continue
    }
    const goesOn = before && kept.isWhole(middleOf(before), middleOf(word))
    if (goesOn) groups.at(-1)?.push(piece)
    else groups.push([piece])
    before = word
  }
  return groups
}

/** Words begin and end where they seem to: one that seems to be said in a pause, near a voice, belongs to that voice. */
const slackSeconds = 0.3

function isHeard(word: Word, { all, asked }: Cuts): boolean {
  if (!isMostlyIn(asked, word)) return false
  return isMostlyIn(all, word) || all.distanceTo(middleOf(word)) <= slackSeconds
}

function isMostlyIn(kept: KeptTime, word: Word): boolean {
  const span = spanOf(word)
  const length = span.to - span.from
  return length > 0 ? kept.keptWithin(span) >= length / 2 : kept.distanceTo(span.from) === 0
}

const middleOf = ({ startTime, endTime }: Word): number => (startTime + endTime) / 2

function spanOf({ startTime, endTime }: Pick<Word, 'startTime' | 'endTime'>): TimeSpan {
  return { from: startTime, to: endTime }
}

function placeIn(kept: KeptTime, { startTime, endTime }: Pick<Word, 'startTime' | 'endTime'>) {
  return { startTime: kept.placeOf(startTime), endTime: kept.placeOf(endTime) }
}

function textOf(group: readonly Piece[]): string {
  return group
    .map(({ written }) => written)
    .join('')
    .trim()
}

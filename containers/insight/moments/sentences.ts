import { endsSentence } from '../../../worker/contract/captions/sentence-end.ts'
import { joinTexts } from '../../../worker/contract/captions/unspaced.ts'
import type { Speech, SpeechSegment } from '../../timeline/speech.ts'
import { splitText } from '../carry/carry-words.ts'
import { sureConfidence } from '../words/heard-text.ts'
import { bareWord, contentStem, stemOf } from './stems.ts'

export type SaidWord = {
  /** Without marks around it. */
  readonly text: string
  readonly stem: string
  /** Whether it says something about the subject. */
  readonly isContent: boolean
  readonly isSure: boolean
}

export type Sentence = {
  readonly startTime: number
  readonly endTime: number
  readonly text: string
  readonly words: readonly SaidWord[]
  /** Who says it, where voices are told apart. */
  readonly speaker?: string
}

/** What is never split: a word, or a segment whose words have no times. */
type Unit = {
  startTime: number
  endTime: number
  text: string
  isSure: boolean
  ends: boolean
  speaker: string | undefined
}

/** A text with fewer marks than this is divided into sentences by capitals after pauses, or by pauses alone. */
const fewestEnds = 1 / 60
const fewestCapitals = 1 / 3
const pauseSeconds = { marked: 2, beforeCapital: 0.7, unmarked: 0.6 }
/** Recognisers forget a full stop now and then; the next word still has a capital, which means nothing for "I". */
const capital = /^["'“„«(¿¡]*(?!I(?:['’]\p{L}+)?[,.]?$)\p{Lu}/u

/** The sentences of what was heard, each with the times of its first and last word. */
export function sentencesOf(speech: Speech): Sentence[] {
  const { language, segments } = speech
  const units = joinPieces(segments.flatMap((segment) => unitsOf(segment, language)))
  const words = units.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
  const isMarked = units.filter(({ ends }) => ends).length >= words * fewestEnds
  const isRelied = isMarked || hasCapitals(units, language)
  const goesOn = (unit: Unit, next: Unit | undefined): boolean => {
    if (!next || unit.ends || next.speaker !== unit.speaker) return false
    const isCapital = language !== 'de' && capital.test(next.text)
    const marked = isCapital ? pauseSeconds.beforeCapital : pauseSeconds.marked
    return next.startTime - unit.endTime < (isRelied ? marked : pauseSeconds.unmarked)
  }
  const sentences: Sentence[] = []
  let begun: Unit[] = []
  for (const [i, unit] of units.entries()) {
    begun.push(unit)
    if (goesOn(unit, units[i + 1])) continue
    sentences.push(sentenceOf(begun, language))
    begun = []
  }
  return sentences.filter(({ words: said }) => said.length > 0)
}

/** After most sentences, a speaker pauses for longer than this. */
const usualPause = 0.25
const noPause = 0.03

/**
 * Long speech is transcribed in pieces, and a recogniser ends each of them with a full stop. If nobody pauses there although people
 * pause after most sentences, the sentence continues. Some providers report no pauses at all.
 */
function joinPieces(units: readonly Unit[]): readonly Unit[] {
  const pauseBehind = (i: number): number =>
    (units[i + 1]?.startTime ?? Infinity) - (units[i]?.endTime ?? 0)
  const pauses = units
    .flatMap(({ ends }, i) => (ends ? [pauseBehind(i)] : []))
    .toSorted((a, b) => a - b)
  if ((pauses[Math.floor(pauses.length / 2)] ?? 0) < usualPause) return units
  return units.map((unit, i) => {
    const isCut = unit.ends && unit.text.endsWith('.') && pauseBehind(i) < noPause
    return isCut ? { ...unit, text: unit.text.replace(/\.+$/u, ''), ends: false } : unit
  })
}

/** Whether a capital tells that a word after a pause begins a sentence. German writes every noun with one. */
function hasCapitals(units: readonly Unit[], language: string): boolean {
  if (language === 'de') return false
  const begun = units.filter(({ startTime }, i) => {
    const before = units[i - 1]
    return before && startTime - before.endTime >= pauseSeconds.unmarked
  })
  return begun.filter(({ text }) => capital.test(text)).length > begun.length * fewestCapitals
}

function unitsOf({ words = [], speaker, ...segment }: SpeechSegment, language: string): Unit[] {
  if (words.length === 0) {
    return [
      {
        ...segment,
        speaker,
        isSure: true,
        ends: endsSentence(segment.text.trim().split(/\s/u).at(-1) ?? '', language),
      },
    ]
  }
  const written = splitText(
    segment.text,
    words.map(({ text }) => text),
  )
  return words.map(({ startTime, endTime, text, confidence = 1 }, i) => {
    const said = (written?.[i] ?? text).trim()
    const ends = endsSentence(said, language)
    return { startTime, endTime, text: said, isSure: confidence >= sureConfidence, ends, speaker }
  })
}

function sentenceOf(units: readonly Unit[], language: string): Sentence {
  const words = units.flatMap(({ text, isSure }) =>
    text.split(/\s+/).flatMap((written): SaidWord[] => {
      const word = bareWord(written)
      if (word === '') return []
      const stem = stemOf(word, language)
      return [{ text: word, stem, isContent: contentStem(word, language), isSure }]
    }),
  )
  const texts = units.map(({ text }) => text)
  return {
    startTime: units[0]?.startTime ?? 0,
    endTime: units.at(-1)?.endTime ?? 0,
    text: joinTexts(texts, language),
    words,
    ...(units[0]?.speaker !== undefined && { speaker: units[0].speaker }),
  }
}

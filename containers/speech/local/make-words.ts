import type { Word } from '../../timeline/speech.ts'
import type { TimedToken } from './recogniser.ts'
import { type Vocabulary, beginsWord, bytesOfTokens, textOfTokens } from './vocabulary.ts'
import { isUnspaced } from '../../../worker/contract/captions/unspaced.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'

/** In seconds. */
type UtteredSpan = { readonly start: number; readonly end: number }

const shortestWord = 0.04

/** Joins tokens into words, each within the time in which somebody speaks. */
export function makeWords(
  tokens: readonly TimedToken[],
  { vocabulary, language }: { readonly vocabulary: Vocabulary; readonly language: string },
  speech: readonly UtteredSpan[],
): Word[] {
  const spelled = spell(tokens, vocabulary, language).filter((word) => !isGuess(word, language))
  let earliest = 0
  const starts = spelled.map((word, index) => {
    earliest = Math.max(earliest, startOf(word, spelled[index - 1], speech))
    return earliest
  })
  return spelled.map(({ text, confidence }, index) => {
    const startTime = starts[index] ?? 0
    return { text, startTime, endTime: endOf(startTime, starts[index + 1], speech), confidence }
  })
}

type Spelled = {
  readonly text: string
  readonly first: TimedToken
  /** The apparent start of the punctuation at its end. */
  readonly marksSeconds: number | undefined
  readonly confidence: number
}

function spell(tokens: readonly TimedToken[], vocabulary: Vocabulary, language: string): Spelled[] {
  return groupTokens(tokens, vocabulary, language).flatMap((group) => {
    const isSaid = (timed: TimedToken): boolean => !isMark(spellingOf(vocabulary, [timed]))
    // A mark may be written before its word and with a space between them.
    const text = modern(spellingOf(vocabulary, group).replaceAll(/\s/gu, ''), language)
    const first = group.find(isSaid) ?? group[0]
    if (text === '' || !first) return []
    const lastSaid = group.findLastIndex(isSaid)
    const marksSeconds = group[lastSaid + 1]?.seconds
    return [{ text, first, marksSeconds, confidence: confidenceOf(group.slice(0, lastSaid + 1)) }]
  })
}

const otherScript = /^(?!.*\p{Script=Latin})(?=.*(?!\p{Script=Common})\p{L})/u
const leastOfOther = 0.1

/** A model of English writes what it does not understand in any script. */
function isGuess({ text, confidence }: Spelled, language: string): boolean {
  return language === 'en' && confidence < leastOfOther && otherScript.test(text)
}

/** Models learnt English from old books too, which write "To-day", and add a second stop to a sentence that ends in "Mrs." */
function modern(text: string, language: string): string {
  if (language !== 'en') return text
  return text.replace(/\b(to)-(day|night|morrow)\b/i, '$1$2').replace(/(?<=\p{L})\.\.$/u, '.')
}

/** The confidence of all its letters together; the punctuation after it does not count. */
function confidenceOf(said: readonly TimedToken[]): number {
  const sum = said.reduce((total, { logProbability }) => total + logProbability, 0)
  return thousandths(Math.exp(sum))
}

/**
 * The decoder writes a punctuation mark when it hears the next word after a pause, and the attention given to the mark
 * is missing from that word. Such a word starts with the voice, and so does a word that seems to start in the pause.
 */
function startOf(
  { first }: Spelled,
  before: Spelled | undefined,
  speech: readonly UtteredSpan[],
): number {
  const heard = nearest(first.peakSeconds, speech)
  if (!heard) return first.seconds
  const voice = heard.start
  const followsPause = before?.marksSeconds !== undefined && before.marksSeconds < heard.start
  return followsPause ? voice : Math.max(first.seconds, voice)
}

function nearest(seconds: number, speech: readonly UtteredSpan[]): UtteredSpan | undefined {
  const next = firstEndingAfter(seconds, speech)
  if (next === speech.length) return speech.at(-1)
  const [last, heard] = [speech[next - 1], speech[next]]
  return last && heard && seconds - last.end < heard.start - seconds ? last : heard
}

/** A word lasts until the next one, or until the voice stops. */
function endOf(start: number, next: number | undefined, speech: readonly UtteredSpan[]): number {
  const heard = speech[firstEndingAfter(start + shortestWord, speech)]
  const silence = heard?.end ?? start + shortestWord
  return Math.max(start + shortestWord, Math.min(silence, next ?? silence))
}

/** Hours of speech have tens of thousands of stretches, and as many words. */
function firstEndingAfter(seconds: number, speech: readonly UtteredSpan[]): number {
  return firstPlace(speech.length, (place) => (speech[place]?.end ?? 0) > seconds)
}

type Tokens = readonly TimedToken[]

const numbersOf = (group: Tokens): number[] => group.map(({ token }) => token)

function spellingOf(vocabulary: Vocabulary, group: Tokens): string {
  return textOfTokens(vocabulary, numbersOf(group))
}

const isMark = (spelling: string): boolean => /^[^\p{L}\p{N}]+$/u.test(spelling)

/** The tokens of each word, with the punctuation at it. */
function groupTokens(tokens: Tokens, vocabulary: Vocabulary, language: string): Tokens[] {
  const groups = isUnspaced(language)
    ? unspacedGroups(tokens, vocabulary, language)
    : spacedGroups(tokens, vocabulary)
  return joinMarks(groups, vocabulary)
}

function spacedGroups(tokens: Tokens, vocabulary: Vocabulary): Tokens[] {
  const groups: TimedToken[][] = []
  for (const timed of tokens) {
    if (groups.length === 0 || beginsWord(vocabulary, timed.token)) groups.push([timed])
    else groups.at(-1)?.push(timed)
  }
  return groups
}

/** Cuts where both a word, as dictionaries see it, and a token end. */
function unspacedGroups(tokens: Tokens, vocabulary: Vocabulary, language: string): Tokens[] {
  const characters = wholeCharacters(tokens, vocabulary)
  const text = characters.map((unit) => unit.text).join('')
  const words = new Intl.Segmenter(language, { granularity: 'word' }).segment(text)
  const boundaries = new Set(Array.from(words, ({ index }) => index))
  const groups: TimedToken[][] = []
  let at = 0
  for (const unit of characters) {
    if (groups.length === 0 || boundaries.has(at)) groups.push([...unit.group])
    else groups.at(-1)?.push(...unit.group)
    at += unit.text.length
  }
  return groups
}

type WordUnit = { readonly group: TimedToken[]; readonly text: string }

/** A token may be only a part of a character; the next ones then complete it. */
function wholeCharacters(tokens: Tokens, vocabulary: Vocabulary): WordUnit[] {
  const units: WordUnit[] = []
  let open: TimedToken[] = []
  for (const timed of tokens) {
    open.push(timed)
    const text = rawText(vocabulary, open)
    if (text.endsWith(incomplete) && open.length < longestCharacter) continue
    units.push({ group: open, text })
    open = []
  }
  return open.length === 0 ? units : [...units, { group: open, text: rawText(vocabulary, open) }]
}

const incomplete = '\uFFFD'
/** In bytes, and so in tokens. */
const longestCharacter = 4

function rawText(vocabulary: Vocabulary, group: Tokens): string {
  return bytesOfTokens(vocabulary, numbersOf(group)).toString('utf8')
}

/** These belong to the word after them. */
const opening = /^[-"'“‘¿¡([{«「『《（]+$/u

/** Joins marks that stand alone to the word that they belong to. */
function joinMarks(groups: readonly Tokens[], vocabulary: Vocabulary): Tokens[] {
  const words: TimedToken[][] = []
  let before: TimedToken[] = []
  for (const group of groups) {
    const spelling = spellingOf(vocabulary, group)
    const last = words.at(-1)
    if (!isMark(spelling)) {
      words.push([...before, ...group])
      before = []
    } else if (last && !opening.test(spelling)) last.push(...group)
    else before.push(...group)
  }
  if (before.length > 0) words.push(before)
  return words
}

import type { Phrase } from '../../../worker/contract/options/phrases.ts'
import { fewWarnings } from '../../errors/few-warnings.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { cutBetween, cutPlace } from './cut-words.ts'
import {
  findNearly,
  findPhrase,
  patience,
  textOfWords,
  type SearchPatience,
  type PhrasePlace,
  type SpokenText,
} from './find-phrase.ts'
import { plainLetters } from './plain-letters.ts'
import type { LoudnessGrid } from './quiet-edge.ts'
import type { SpokenWord } from './spoken-words.ts'

export type TextRequest = {
  readonly removeText?: readonly Phrase[] | undefined
  readonly keepText?: readonly Phrase[] | undefined
  /** The language in which small numbers are spelled out. */
  readonly language?: string | undefined
}

/** What is cut because of what is said there. */
export function cutText(
  words: readonly SpokenWord[],
  { removeText = [], keepText = [], language }: TextRequest,
  grid: LoudnessGrid,
) {
  const text = { ...textOfWords(words), left: patience(), language }
  const removed = findAll(text, words, { field: 'removeText', phrases: removeText })
  const kept = findAll(text, words, { field: 'keepText', phrases: keepText })
  const gone = joinedPlaces(removed.places).map((place) => cutPlace(words, place, grid))
  const isTooShort = gone.includes(undefined)
  return {
    spans: [...gone, ...cutAround(words, kept.places, grid)].filter((span) => span !== undefined),
    warnings: [
      ...fewWarnings(removed.warnings, moreOf('removeText')),
      ...(isTooShort ? ['removeText: a place is shorter than a picture, so it stayed.'] : []),
      ...fewWarnings(kept.warnings, moreOf('keepText')),
      ...(keepText.length > 0 && kept.places.length === 0
        ? ['keepText: none of it was found, so nothing was cut for it.']
        : []),
    ],
  }
}

/** The places in order. Those that share a word or touch become one, so that no breath remains between them. */
export function joinedPlaces<Place extends PhrasePlace>(
  places: readonly Place[],
  reach: 0 | 1 = 1,
): Place[] {
  const joined: Place[] = []
  for (const place of places.toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    if (before && place.first <= before.last + reach) {
      joined.splice(-1, 1, { ...before, last: Math.max(before.last, place.last) })
    } else joined.push(place)
  }
  return joined
}

/** Cuts everything before, between and after the places. */
export function cutAround(
  words: readonly SpokenWord[],
  places: readonly PhrasePlace[],
  grid: LoudnessGrid,
): (FrameSpan | undefined)[] {
  const kept = joinedPlaces(places)
  if (kept.length === 0) return []
  const ends = [undefined, ...kept.map(({ last }) => last)]
  const begins = [...kept.map(({ first }) => first), undefined]
  return ends.map((end, i) => cutBetween(words, end, begins[i], grid))
}

type Searched = SpokenText & Pick<TextRequest, 'language'> & { readonly left: SearchPatience }
type List = { readonly field: 'removeText' | 'keepText'; readonly phrases: readonly Phrase[] }
function findAll(text: Searched, words: readonly SpokenWord[], { field, phrases }: List) {
  const places: PhrasePlace[] = []
  const warnings: string[] = []
  for (const [i, phrase] of phrases.entries()) {
    const wanted = typeof phrase === 'string' ? { text: phrase } : phrase
    const found = placesOf(text, words, wanted)
    const timed = found.places.filter(
      ({ first, last }) =>
        words[first]?.startTime !== undefined && words[last]?.endTime !== undefined,
    )
    places.push(...timed)
    const why = timed.length < found.places.length ? untimed : found.why
    if (why !== undefined) warnings.push(`${field}[${i}]: “${shortened(wanted.text)}” ${why}`)
  }
  return { places, warnings }
}

const untimed =
  'is said, but the speech provider does not tell when each word is said, so it cannot be cut out of its sentence.'

/** The places of a phrase, and warnings about them. */
function placesOf(
  text: Searched,
  words: readonly SpokenWord[],
  wanted: Exclude<Phrase, string>,
): { places: readonly PhrasePlace[]; why?: string } {
  const letters = plainLetters(wanted.text, text.language)
  const exact = findPhrase(text, letters)
  const { occurrence } = wanted
  if (exact.length > 0) {
    if (occurrence === undefined) return { places: exact }
    const times = exact.length === 1 ? 'once' : `${exact.length} times`
    return occurrence <= exact.length
      ? { places: exact.slice(occurrence - 1, occurrence) }
      : { places: [], why: `is said ${times}, so there is no occurrence ${occurrence}.` }
  }
  const near = (occurrence ?? 1) === 1 ? findNearly(text, letters, text.left) : undefined
  if (!near) return { places: [], why: 'was not heard.' }
  const heard = words.slice(near.first, near.last + 1).map((word) => word.text)
  return {
    places: [near],
    why: `was heard as “${shortened(heard.join(' '))}”, which was taken for it.`,
  }
}

const mostShown = 80

function shortened(text: string): string {
  const letters = [...text.replaceAll(/\s+/gu, ' ').trim()]
  return letters.length <= mostShown ? letters.join('') : `${letters.slice(0, mostShown).join('')}…`
}

function moreOf(field: List['field']) {
  return (count: number) => `${field}: ${count} more were not found, or not exactly.`
}

import { speakersAsked, type SpeakersAsked } from '../../../worker/contract/options/speakers.ts'
import { cutAround, joinedPlaces } from './cut-text.ts'
import { cutPlace, cutUpToNext } from './cut-words.ts'
import type { PhrasePlace } from './find-phrase.ts'
import type { LoudnessGrid } from './quiet-edge.ts'
import type { SpokenWord } from './spoken-words.ts'

const fields = ['removeSpeakers', 'keepSpeakers'] as const

/** What is cut because of who speaks there. */
export function cutSpeakers(
  words: readonly SpokenWord[],
  request: SpeakersAsked & { readonly isCertain: boolean },
  grid: LoudnessGrid,
) {
  const asked = fields.filter((field) => request[field]?.length)
  if (asked.length === 0) return { spans: [], warnings: [] }
  const who = [...new Set(words.flatMap(({ speaker }) => speaker ?? []))]
  if (who.length === 0) {
    return { spans: [], warnings: asked.map((field) => `${field}: nothing was cut. ${untold}`) }
  }
  const { removeSpeakers = [], keepSpeakers = [] } = request
  const gone = joinedPlaces(placesOf(words, removeSpeakers)).map((place) =>
    place.last === words.length - 1
      ? cutPlace(words, place, grid)
      : cutUpToNext(words, place, grid),
  )
  const others = cutAround(words, placesOf(words, keepSpeakers), grid)
  const removed = new Set(removeSpeakers.map(plain))
  return {
    spans: [...gone, ...others].filter((span) => span !== undefined),
    warnings: [
      ...(gone.includes(undefined)
        ? ['removeSpeakers: a part stayed, because its words have no times.']
        : []),
      ...(who.every((name) => removed.has(plain(name)))
        ? [
            'removeSpeakers: everybody who speaks was cut out; only what lies between their words is left.',
          ]
        : []),
      ...asked.flatMap((field) => strangers(field, request[field] ?? [], who)),
      ...(request.isCertain
        ? []
        : [`${asked.join(', ')}: ${unsure(speakersAsked(request)?.count)}`]),
    ],
  }
}

export const untold = 'It could not be told who speaks.'

/** `count`: the number of people, if that was told. */
export function unsure(count: number | undefined): string {
  const advice = count === undefined ? ' speakers.count tells how many people there are.' : ''
  return `it is not certain who speaks, because voices are alike or say little.${advice}`
}

function strangers(field: string, asked: readonly string[], who: readonly string[]): string[] {
  const known = new Set(who.map(plain))
  return asked
    .filter((name) => !known.has(plain(name)))
    .map((name) =>
      `${field}: nobody is called “${name}”. There are ${who.join(', ')}.`.slice(0, 500),
    )
}

function placesOf(words: readonly SpokenWord[], names: readonly string[]): PhrasePlace[] {
  const wanted = new Set(names.map(plain))
  return words.flatMap(({ speaker }, i) =>
    speaker !== undefined && wanted.has(plain(speaker)) ? [{ first: i, last: i }] : [],
  )
}

const plain = (name: string): string => name.trim().toLowerCase()

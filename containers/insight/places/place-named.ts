import { iso1A2Code } from '@rapideditor/country-coder'
import nlp from 'compromise'
import { z } from 'zod'
import type { City } from './cities.ts'
import { isSureOf, type HeardText } from '../words/heard-text.ts'
import { countryName } from './place-of-coordinates.ts'

/**
 * A name that the grammar does not recognise as a place counts only if it is that of a large city and is used like a
 * place.
 */
const largePopulation = 100_000
const knownPopulation = 15_000

const saidBefore = /\b(?:in|from|near|to|at|around|across|through|visit|visiting|outside|leaving)$/i

type Mention = {
  readonly text: string
  readonly country: string
  readonly city: string | undefined
}

/**
 * The place that a text mentions most, as "City, Country" or "Country". Undefined if it names none, or several equally
 * often that do not even share a country.
 */
export function placeNamed(heard: HeardText, cities: readonly City[]): string | undefined {
  const mentions = mentionsIn(heard, cities)
  const counts = new Map<string, number>()
  for (const { text: place } of mentions) counts.set(place, (counts.get(place) ?? 0) + 1)
  const named = mentions.filter(({ city }) => city !== undefined)
  const from = named.length > 0 ? named : mentions
  const most = Math.max(0, ...from.map(({ text: place }) => counts.get(place) ?? 0))
  const best = new Set(
    from.map(({ text: place }) => place).filter((place) => counts.get(place) === most),
  )
  if (best.size === 1) return [...best][0]
  const countries = new Set(mentions.map(({ country }) => country))
  return countries.size === 1 ? countryName([...countries][0] ?? '') : undefined
}

/** Successive capitalised words: a name, or a name after the first word of a sentence. */
const capitals = /\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*/gu

function mentionsIn(heard: HeardText, cities: readonly City[]): Mention[] {
  const { text } = heard
  const sure = [...text.matchAll(capitals)].filter(({ 0: run, index }) =>
    isSureOf(heard, index, index + run.length),
  )
  const runs = sure.map((match) => {
    const whole = match[0].replace(/['’]s$/, '')
    const inner = whole.indexOf(' ') + 1
    const names = [{ name: whole, at: match.index }]
    if (inner > 0) names.push({ name: whole.slice(inner), at: match.index + inner })
    return names
  })
  const largest = largestOf(cities, new Set(runs.flat().map(({ name }) => name)))
  const known = knownPlaces(text)
  return runs.flatMap((names) => {
    const mentions = names.flatMap(({ name, at }) => {
      const isSaidAsPlace = saidBefore.test(text.slice(Math.max(0, at - 20), at).trimEnd())
      const signs = { isKnown: known.has(name), isSaidAsPlace }
      return mentionOf(name, largest.get(name), signs) ?? []
    })
    return mentions.slice(0, 1)
  })
}

/**
 * The largest of the cities with each name; the list also writes out parts that people leave out, as in "New York
 * City".
 */
function largestOf(cities: readonly City[], names: ReadonlySet<string>): Map<string, City> {
  const largest = new Map<string, City>()
  for (const city of cities) {
    for (const name of [city.name, city.name.replace(/ City$/, '')]) {
      if (names.has(name) && city.population > (largest.get(name)?.population ?? 0)) {
        largest.set(name, city)
      }
    }
  }
  return largest
}

function mentionOf(
  name: string,
  city: City | undefined,
  { isKnown, isSaidAsPlace }: { isKnown: boolean; isSaidAsPlace: boolean },
): Mention | undefined {
  const country = countryCode(name)
  if (country !== undefined && (isKnown || isSaidAsPlace)) {
    return { text: countryName(country) ?? name, country, city: undefined }
  }
  if (!city) return undefined
  const isTown = city.population >= knownPopulation && isKnown
  const isCity = city.population >= largePopulation && isSaidAsPlace
  const cityCountry = countryName(city.country)
  if ((!isTown && !isCity) || cityCountry === undefined) return undefined
  return { text: `${name}, ${cityCountry}`, country: city.country, city: name }
}

/** The library takes two letters for a country code, but a speaker means a word. */
function countryCode(name: string): string | undefined {
  if (name.length < 4 && name !== 'USA' && name !== 'UK') return undefined
  return iso1A2Code(name) ?? undefined
}

const placeTerms = z.array(
  z.object({ terms: z.array(z.object({ text: z.string(), tags: z.array(z.string()) })) }),
)

function knownPlaces(text: string): Set<string> {
  const found = placeTerms.parse(nlp(text).places().json())
  return new Set(
    found.flatMap(({ terms }) => {
      const words = terms.map((term) => term.text).join(' ')
      return [words, ...[...words.matchAll(capitals)].map(([name]) => name)]
    }),
  )
}

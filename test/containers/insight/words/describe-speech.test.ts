import { beforeAll, describe, expect, it } from 'vitest'
import { readCities, type City } from '../../../../containers/insight/places/cities.ts'
import { placeOfCoordinates } from '../../../../containers/insight/places/place-of-coordinates.ts'
import {
  describeSpeech,
  keySentences,
} from '../../../../containers/insight/words/describe-speech.ts'

let cities: City[]
beforeAll(() => {
  cities = readCities()
})

const described = (text: string, language = 'en') =>
  describeSpeech({ language, segments: [{ startTime: 0, endTime: 5, text }] }, cities)

describe('describeSpeech', () => {
  it('names topics that are mentioned more than once, without pronouns, contractions and numbers', () => {
    const { keywords } = described(
      "In this video I'm going to show you how to repair a bicycle chain. First, remove the rear wheel. " +
        'A clean bicycle chain lasts much longer. You need twenty minutes.',
    )
    expect(keywords).toEqual(['bicycle chain'])
  })

  it('names the place that is mentioned, with its country', () => {
    const places = [
      "Today we're walking through the old town of Lisbon. The tarts are the best in Portugal.",
      'Hello from Berlin! This is the Brandenburg Gate in Berlin.',
      'We went to San Francisco and drove across the Golden Gate Bridge.',
      'Last winter we stayed in New York.',
      'The food here in Japan is wonderful.',
    ].map((text) => described(text).place)
    expect(places).toEqual([
      'Lisbon, Portugal',
      'Berlin, Germany',
      'San Francisco, United States of America',
      'New York, United States of America',
      'Japan',
    ])
  })

  it('mistakes no ordinary word for a place, and does not choose between two', () => {
    const texts = [
      'I was reading a nice book in the bath. May went to the mobile shop.',
      'Paris Hilton was there. Best of luck, Victoria!',
      'From Madrid to Oslo is a long way.',
    ]
    expect(texts.map((text) => described(text).place)).toEqual([undefined, undefined, undefined])
  })

  it('gives only sentences for a language without a grammar', () => {
    const text = 'Heute fahren wir durch Berlin und sehen uns die alten Häuser an.'
    expect(described(text, 'de')).toEqual({ keywords: [], sentences: [text], place: undefined })
  })

  it('uses no word that may be misheard', () => {
    const text = 'We sail to Lisbon with a parrot. The parrot sings of Lisbon. Many ships come in.'
    const heardWith = (doubt: number) => {
      const words = text.split(' ').map((word, i) => ({
        ...{ startTime: i / 4, endTime: (i + 1) / 4, text: word },
        confidence: /parrot|Lisbon/.test(word) ? doubt : 0.97,
      }))
      const segments = [{ startTime: 0, endTime: 5, text, words }]
      return describeSpeech({ language: 'en', segments }, cities)
    }
    expect(heardWith(0.9)).toMatchObject({
      keywords: ['Lisbon', 'parrot'],
      place: 'Lisbon, Portugal',
    })
    expect(heardWith(0.3)).toEqual({
      keywords: [],
      sentences: ['Many ships come in.'],
      place: undefined,
    })
  })

  it('doubts a whole segment if its words are not found in its text', () => {
    const words = [{ startTime: 0, endTime: 1, text: 'elsewhere', confidence: 0.2 }]
    const segments = [{ startTime: 0, endTime: 5, text: 'The boat. My boat.', words }]
    const nothing = { keywords: [], sentences: [], place: undefined }
    expect(describeSpeech({ language: 'en', segments }, cities)).toEqual(nothing)
  })

  it('gives nothing for an empty text', () => {
    expect(described('')).toEqual({ keywords: [], sentences: [], place: undefined })
  })
})

describe('keySentences', () => {
  it('picks sentences whose words occur in others too, in the order of the text', () => {
    const text =
      'Well hello there everybody out there. The glacier melts faster every single summer. ' +
      'Scientists measure how the glacier melts every summer. My coffee is getting cold.'
    expect(keySentences({ text, doubts: [] }, 120)).toEqual([
      'The glacier melts faster every single summer.',
      'Scientists measure how the glacier melts every summer.',
    ])
  })

  it('cuts a sentence that is too long between words', () => {
    const text = 'one two three four five six'
    expect(keySentences({ text, doubts: [] }, 14)).toEqual(['one two three…'])
  })
})

describe('placeOfCoordinates', () => {
  it('names the city that people would name there', () => {
    const points = [
      [52.5163, 13.3777],
      [48.8584, 2.2945],
      [-33.8568, 151.2153],
      [48.3984, 9.9916],
      [21.3, -157.8],
    ].map(([latitude = 0, longitude = 0]) => placeOfCoordinates({ latitude, longitude }, cities))
    expect(points).toEqual([
      'Berlin, Germany',
      'Paris, France',
      'Sydney, Australia',
      'Ulm, Germany',
      'Honolulu, United States of America',
    ])
  })

  it('names only the country far from any city, and nothing at sea', () => {
    expect(placeOfCoordinates({ latitude: 23, longitude: 10 }, cities)).toBe('Algeria')
    expect(placeOfCoordinates({ latitude: 30, longitude: -40 }, cities)).toBeUndefined()
  })
})

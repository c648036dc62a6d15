import { describe, expect, it } from 'vitest'
import { makeWords } from '../../../../containers/speech/local/make-words.ts'
import { toVocabulary } from '../../../../containers/speech/local/vocabulary.ts'

const english = {
  language: 'en',
  vocabulary: toVocabulary([
    '▁Good',
    '▁morn',
    'ing',
    '.',
    '▁caf',
    '<0xC3>',
    '<0xA9>',
    '▁',
    '▁"',
    '"',
    '▁To',
    '-',
    'day',
    '▁你們',
    '▁µ',
  ]),
}
/** Heard most clearly where it begins, unless said otherwise. */
const at = (token: number, seconds: number, peakSeconds = seconds) => ({
  token,
  seconds,
  peakSeconds,
  logProbability: 0,
})
const all = [{ start: 0, end: 10 }]

describe('makeWords', () => {
  it('joins the pieces of a word, punctuation included', () => {
    const words = makeWords([at(0, 1), at(1, 1.5), at(2, 1.8), at(3, 2)], english, all)
    expect(words).toEqual([
      { text: 'Good', startTime: 1, endTime: 1.5, confidence: 1 },
      { text: 'morning.', startTime: 1.5, endTime: 10, confidence: 1 },
    ])
  })

  it('writes English without the hyphens of old books', () => {
    const tokens = [at(10, 1), at(11, 1.2), at(12, 1.4), at(3, 2)]
    expect(makeWords(tokens, english, all)).toMatchObject([{ text: 'Today.', startTime: 1 }])
    const french = makeWords(tokens, { ...english, language: 'fr' }, all)
    expect(french).toMatchObject([{ text: 'To-day.' }])
  })

  it('ends a sentence with one stop where its last word has one, and leaves three', () => {
    const stops = (count: number) => Array.from({ length: count }, (_, i) => at(3, 2 + i / 10))
    const ended = (count: number) => makeWords([at(0, 1), ...stops(count)], english, all)
    expect(ended(2)).toMatchObject([{ text: 'Good.' }])
    expect(ended(3)).toMatchObject([{ text: 'Good...' }])
  })

  it('is as certain of a word as of all its pieces together, without the mark after it', () => {
    const sure = (token: number, share: number) => ({
      ...at(token, token),
      logProbability: Math.log(share),
    })
    const words = makeWords([sure(0, 0.9), sure(1, 0.5), sure(2, 0.8), sure(3, 0.1)], english, all)
    expect(words).toMatchObject([
      { text: 'Good', confidence: 0.9 },
      { text: 'morning.', confidence: 0.4 },
    ])
  })

  it('leaves out of English what nobody is sure to have said in another script', () => {
    const said = (token: number, share: number) => ({
      ...at(token, 2),
      logProbability: Math.log(share),
    })
    const textsOf = (token: number, share: number, language = 'en') =>
      makeWords(
        [at(0, 1), said(token, share), at(1, 3), at(2, 3.2)],
        { ...english, language },
        all,
      ).map(({ text }) => text)
    expect(textsOf(13, 0.05)).toEqual(['Good', 'morning'])
    expect(textsOf(13, 0.2)).toEqual(['Good', '你們', 'morning'])
    expect(textsOf(14, 0.05)).toEqual(['Good', 'µ', 'morning'])
    expect(textsOf(4, 0.05)).toEqual(['Good', 'caf', 'morning'])
    expect(textsOf(13, 0.05, 'ko')).toEqual(['Good', '你們', 'morning'])
  })

  it('joins the bytes of a character', () => {
    const words = makeWords([at(4, 1), at(5, 1.2), at(6, 1.3)], english, all)
    expect(words.map(({ text }) => text)).toEqual(['café'])
  })

  it('ends a word when the voice stops, and begins one when it comes back', () => {
    const speech = [
      { start: 0.5, end: 1.5 },
      { start: 3, end: 4 },
    ]
    const words = makeWords([at(0, 0.2), at(1, 1.9, 3.1), at(2, 3.5)], english, speech)
    expect(words).toEqual([
      { text: 'Good', startTime: 0.5, endTime: 1.5, confidence: 1 },
      { text: 'morning', startTime: 3, endTime: 4, confidence: 1 },
    ])
  })

  it.each([
    [
      'where it is heard, even if it seems to begin before the pause',
      [at(0, 1), at(1, 1.4, 3.1)],
      1,
    ],
    ['at the time of a mark before it', [at(0, 1), at(3, 1.6, 3.5), at(4, 4)], 1],
    ['before the pause if it is the last and short', [at(0, 1.4), at(3, 1.5), at(4, 3.1)], 1.4],
  ])('begins a word %s', (_, tokens, first) => {
    const speech = [
      { start: 0, end: 1.5 },
      { start: 3, end: 5 },
    ]
    const words = makeWords(tokens, english, speech)
    expect(words.map(({ startTime }) => startTime)).toEqual([first, 3])
  })

  it('keeps words in order, each with a duration', () => {
    const words = makeWords([at(0, 2), at(1, 2), at(4, 2)], english, [{ start: 1, end: 2.01 }])
    for (const { startTime, endTime } of words) expect(endTime).toBeGreaterThan(startTime)
  })

  it('makes no word of a single space', () => {
    expect(makeWords([at(7, 1)], english, all)).toEqual([])
  })

  it('joins marks that stand alone to their word: those that open to the next one', () => {
    const words = makeWords([at(8, 1), at(0, 1.2), at(9, 1.8), at(4, 2)], english, all)
    expect(words.map(({ text, startTime }) => [text, startTime])).toEqual([
      ['"Good"', 1.2],
      ['caf', 2],
    ])
  })

  it('cuts a language without spaces into words where a token ends, with whole characters', () => {
    // 東 in two tokens, then 京 and です in one each, and the full stop.
    const bytes = [
      [0xe6, 0x9d],
      [0xb1],
      [...Buffer.from('京')],
      [...Buffer.from('です')],
      [...Buffer.from('。')],
    ]
    const japanese = { language: 'ja', vocabulary: bytes.map((one) => Uint8Array.from(one)) }
    const words = makeWords([at(0, 1), at(1, 1.1), at(2, 1.4), at(3, 2), at(4, 3)], japanese, all)
    expect(words.map(({ text, startTime }) => [text, startTime])).toEqual([
      ['東京', 1],
      ['です。', 2],
    ])
  })
})

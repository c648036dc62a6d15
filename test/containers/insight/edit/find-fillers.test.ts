import { describe, expect, it } from 'vitest'
import { findFillers } from '../../../../containers/insight/edit/find-fillers.ts'
import { spokenWords } from '../../../../containers/insight/edit/spoken-words.ts'

function found(text: string, language = 'en', pauseAfter = ''): string[] {
  let at = 0
  const timed = text.split(' ').map((word) => {
    const startTime = at
    at += word === pauseAfter ? 2 : 0.3
    return { text: word, startTime, endTime: startTime + 0.3 }
  })
  const words = spokenWords({
    language,
    segments: [{ startTime: 0, endTime: at, text, words: timed }],
  })
  return findFillers(words, language).map(({ first, last, why }) => {
    const said = words.slice(first, last + 1).map((word) => word.text)
    return `${why}: ${said.join(' ')}`
  })
}

describe('findFillers', () => {
  it('finds fillers however they are written', () => {
    expect(found('So, um, we uh went. Er, hmm, ummm and uhm, erm')).toEqual(
      ['um,', 'uh', 'Er,', 'hmm,', 'ummm', 'uhm,', 'erm'].map((word) => `filler: ${word}`),
    )
  })

  it('knows which words say nothing in which language', () => {
    expect(found('Er geht um acht, äh, ähm, nach Hause', 'de')).toEqual([
      'filler: äh,',
      'filler: ähm,',
    ])
    expect(found('Je, euh, pense', 'fr')).toEqual(['filler: euh,'])
    expect(found('Um er uh', 'pt')).toEqual([])
  })

  it('finds starts that are said again', () => {
    expect(found('I, I think so')).toEqual(['repeat: I,'])
    expect(found('and the the the end')).toEqual(['repeat: the', 'repeat: the'])
    expect(found('we were, we were going home')).toEqual(['repeat: we were,'])
    expect(found('I, um, I think so')).toEqual(['repeat: I,', 'filler: um,'])
  })

  it.each([
    'I know that that is right and he had had it very very often',
    'no no no, I mean two two and five five',
    'again and again and again and over and over and over',
    'come on come on now, bye bye, thank you thank you all',
    'I do, I do. We were here. We were here again.',
    'I know, I know it is late',
    'uh oh that went wrong, uh-huh',
    'what it is is a house, so so good, come in in time',
    'they they',
  ])('leaves what is meant: %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it('takes what is said after a long pause for a new thought', () => {
    expect(found('and the the end', 'en', 'the')).toEqual([])
  })
})

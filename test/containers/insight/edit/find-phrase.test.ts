import { describe, expect, it } from 'vitest'
import {
  findNearly,
  findPhrase,
  textOfWords,
} from '../../../../containers/insight/edit/find-phrase.ts'
import { plainLetters } from '../../../../containers/insight/edit/plain-letters.ts'
import { spokenWords } from '../../../../containers/insight/edit/spoken-words.ts'

const wordsOf = (text: string, language = 'en') =>
  spokenWords({ language, segments: [{ startTime: 0, endTime: 1, text }] })

function found(said: string, phrase: string, language = 'en'): string[] {
  const words = wordsOf(said, language)
  return findPhrase(textOfWords(words), plainLetters(phrase)).map(({ first, last }) =>
    words
      .slice(first, last + 1)
      .map(({ text }) => text)
      .join(language === 'en' ? ' ' : ''),
  )
}

describe('findPhrase', () => {
  it('finds every place, whatever the capitals, marks and apostrophes', () => {
    const said = 'Let’s start. Right: let us go, LETS START! and lets start'
    expect(found(said, "let's start")).toEqual(['Let’s start.', 'LETS START!', 'lets start'])
  })

  it('finds whole words only', () => {
    expect(found('a category of cats, and a cat', 'cat')).toEqual(['cat'])
    expect(found('the art is part of it', 'art')).toEqual(['art'])
  })

  it('knows small numbers as digits and as words, and does not read them into larger ones', () => {
    expect(found('platforms one and three', 'platforms 1 and 3')).toHaveLength(1)
    expect(found('It was 23 percent of 1923', 'twenty-three percent')).toHaveLength(1)
    expect(found('It was 5.5 and 1,500', 'five')).toEqual([])
  })

  it('takes a pattern for text', () => {
    expect(plainLetters('.*')).toBe('')
    expect(found('anything at all', '.*')).toEqual([])
    expect(found('c plus plus', '(c|d)+ plus')).toEqual([])
  })

  it('finds letters in languages without spaces, and joined or split words', () => {
    expect(found('我们今天种西红柿。让我再来一次。', '让我再来', 'zh')).toEqual(['让我再来'])
    expect(found('send an e-mail in the green house', 'email')).toEqual(['e-mail'])
    expect(found('send an e-mail in the green house', 'greenhouse')).toEqual(['green house'])
  })

  it('finds places side by side, but none twice', () => {
    expect(found('no no no no no', 'no no')).toEqual(['no no', 'no no'])
  })
})

describe('findNearly', () => {
  const nearly = (said: string, phrase: string): string | undefined => {
    const words = wordsOf(said)
    const place = findNearly(textOfWords(words), plainLetters(phrase))
    if (!place) return undefined
    const { first, last } = place
    return words
      .slice(first, last + 1)
      .map(({ text }) => text)
      .join(' ')
  }

  it('finds a long phrase in which the recogniser slipped', () => {
    const said = 'because the soil has to be worn before you begin, and more'
    expect(nearly(said, 'The soil has to be warm before you begin')).toBe(
      'the soil has to be worn before you begin,',
    )
  })

  it('does not take a short phrase for another one', () => {
    expect(nearly('let me start it', 'let me start at')).toBeUndefined()
  })

  it('finds nothing if several places are equally near, or none is near', () => {
    const twice = 'the soil has to be worm before you and the soil has to be warn before you'
    expect(nearly(twice, 'the soil has to be warm before you')).toBeUndefined()
    expect(
      nearly('thank you for watching this show about gardens', 'the soil has to be warm before'),
    ).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { makeSegments } from '../../../containers/speech/make-segments.ts'

const said = (text: string, startTime: number, endTime: number) => ({ text, startTime, endTime })

describe('makeSegments', () => {
  it('makes a segment of each sentence, from its first word to its last', () => {
    const segments = makeSegments(
      [
        said('Good', 1, 1.4),
        said('morning.', 1.4, 2),
        said('How', 2.1, 2.3),
        said('are', 2.3, 2.4),
        said('you?', 2.4, 2.8),
      ],
      'en',
    )
    expect(segments).toMatchObject([
      { text: 'Good morning.', startTime: 1, endTime: 2 },
      { text: 'How are you?', startTime: 2.1, endTime: 2.8 },
    ])
    expect(segments[1]?.words).toHaveLength(3)
  })

  it('breaks at a long pause', () => {
    const segments = makeSegments(
      [said('well', 0, 0.4), said('yes', 1.2, 1.4), said('no', 1.5, 2)],
      'en',
    )
    expect(segments.map(({ text }) => text)).toEqual(['well', 'yes no'])
  })

  it('does not take an abbreviation for the end of a sentence', () => {
    const segments = makeSegments([said('Dr.', 0, 0.4), said('Jones', 0.4, 0.9)], 'en')
    expect(segments.map(({ text }) => text)).toEqual(['Dr. Jones'])
  })

  it.each([
    ['de', 'Am 3. Mai kam Nr. 7, z.B. mit Hr. Maier. Er blieb.', 2],
    ['pl', 'Dnia 12. maja przyszedł mgr inż. Nowak. Został.', 2],
    ['es', 'La Sra. Gómez tiene 3. Yo no.', 2],
    ['en', 'It was 3. We left at 9 p.m. They stayed.', 3],
  ])('knows where a sentence of %s ends', (language, text, sentences) => {
    const words = text.split(' ').map((word, i) => said(word, i, i + 1))
    expect(makeSegments(words, language)).toHaveLength(sentences)
  })

  it('puts no spaces between the words of a language that is written without them', () => {
    const segments = makeSegments(
      [said('今日は', 0, 0.6), said('晴れ。', 0.6, 1), said('そう？', 1.1, 1.4)],
      'ja',
    )
    expect(segments.map(({ text }) => text)).toEqual(['今日は晴れ。', 'そう？'])
    const foreign = [said('私は', 0, 1), said('New', 1, 2), said('York', 2, 3), said('へ', 3, 4)]
    expect(makeSegments(foreign, 'ja').map(({ text }) => text)).toEqual(['私はNew Yorkへ'])
  })

  it('makes no segment without words', () => {
    expect(makeSegments([], 'en')).toEqual([])
  })
})

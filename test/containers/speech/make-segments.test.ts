import { describe, expect, it } from 'vitest'
import { makeSegments } from '../../../../containers/speech/local/make-segments.ts'

const said = (text: string, startTime: number, endTime: number) => ({ text, startTime, endTime })

describe('makeSegments', () => {
  it('makes a segment of each sentence, from its first word to its last', () => {
    const segments = makeSegments([
      said('Good', 1, 1.4),
      said('morning.', 1.4, 2),
      said('How', 2.1, 2.3),
      said('are', 2.3, 2.4),
      said('you?', 2.4, 2.8),
    ])
    expect(segments).toMatchObject([
      { text: 'Good morning.', startTime: 1, endTime: 2 },
      { text: 'How are you?', startTime: 2.1, endTime: 2.8 },
    ])
    expect(segments[1]?.words).toHaveLength(3)
  })

  it('breaks at a long pause', () => {
    const segments = makeSegments([said('well', 0, 0.4), said('yes', 1.2, 1.4), said('no', 1.5, 2)])
    expect(segments.map(({ text }) => text)).toEqual(['well', 'yes no'])
  })

  it('does not take an abbreviation for the end of a sentence', () => {
    const segments = makeSegments([said('Dr.', 0, 0.4), said('Jones', 0.4, 0.9)])
    expect(segments.map(({ text }) => text)).toEqual(['Dr. Jones'])
  })

  it('makes no segment without words', () => {
    expect(makeSegments([])).toEqual([])
  })
})

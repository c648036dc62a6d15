import { describe, expect, it } from 'vitest'
import { tidySpeech, wholeText } from '../../../containers/insight/tidy-speech.ts'

const inEnglish = (segments: Parameters<typeof tidySpeech>[0]['segments']) => ({
  language: 'en',
  segments,
})

describe('tidySpeech', () => {
  it('sorts times, moves them inside the video, and drops speech after its end', () => {
    const speech = inEnglish([
      { startTime: 4, endTime: 20, text: ' the end' },
      { startTime: -1, endTime: 5, text: 'from the\nstart ' },
      { startTime: 11, endTime: 12, text: 'Thanks for watching!' },
    ])
    expect(tidySpeech(speech, 10).segments).toEqual([
      { startTime: 0, endTime: 4, text: 'from the start' },
      { startTime: 4, endTime: 10, text: 'the end' },
    ])
  })

  it('takes the time of a segment from its words, and lets none begin before the previous one ends', () => {
    const words = [
      { startTime: 1.2, endTime: 1.6, text: ' one' },
      { startTime: 1.4, endTime: 1.9, text: 'two ' },
    ]
    const [segment] = tidySpeech(
      inEnglish([{ startTime: 1, endTime: 3, text: 'one two', words }]),
      10,
    ).segments
    expect(segment).toMatchObject({ startTime: 1.2, endTime: 1.9 })
    expect(segment?.words).toEqual([
      { startTime: 1.2, endTime: 1.6, text: 'one' },
      { startTime: 1.6, endTime: 1.9, text: 'two' },
    ])
  })

  it('keeps how sure the provider is of a word', () => {
    const words = [
      { startTime: 1, endTime: 2, text: 'one', confidence: 0.25 },
      { startTime: 2, endTime: 3, text: 'two' },
    ]
    const said = { startTime: 1, endTime: 3, text: 'one two', words }
    expect(tidySpeech(inEnglish([said]), 10).segments[0]?.words).toEqual(words)
  })

  it('gives no language when nobody speaks', () => {
    const speech = tidySpeech(inEnglish([{ startTime: 0, endTime: 1, text: ' \n' }]), 10)
    expect(speech).toEqual({ language: 'und', segments: [] })
    expect(wholeText(speech)).toBe('')
  })

  it('rejects more text than anybody can say', () => {
    const text = 'la '.repeat(140_000)
    const speech = inEnglish([{ startTime: 0, endTime: 1, text }])
    expect(() => tidySpeech(speech, 10)).toThrow('more than can be said')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeCaptions } from '../../../../containers/insight/captions/make-captions.ts'
import { tidySpeech } from '../../../../containers/insight/tidy-speech.ts'
import type { SpeechSegment } from '../../../../containers/timeline/speech.ts'
import { seeded } from '../../../support/node/seeded.ts'

async function captionsOf(segments: SpeechSegment[], durationSeconds = 60, language = 'en') {
  return makeCaptions(tidySpeech({ language, segments }, durationSeconds), durationSeconds)
}

const lengthOf = (line: string): number => [...line].length

/** Words of equal length, one after the other. */
function said(text: string, startTime: number, wordSeconds: number): SpeechSegment {
  const words = text.split(' ').map((word, i) => ({
    text: word,
    startTime: startTime + i * wordSeconds,
    endTime: startTime + (i + 1) * wordSeconds,
  }))
  return { text, words, startTime, endTime: words.at(-1)?.endTime ?? startTime }
}

const time = fc.double({ min: -2, max: 90, noNaN: true })
const word = fc.record({
  text: fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 120 })),
  startTime: time,
  endTime: time,
})
const segment = fc.record(
  {
    text: fc.array(fc.string({ maxLength: 60 }), { maxLength: 12 }).map((all) => all.join(' ')),
    startTime: time,
    endTime: time,
    words: fc.array(word, { maxLength: 30 }),
  },
  { requiredKeys: ['text', 'startTime', 'endTime'] },
)

describe('makeCaptions', () => {
  it('ends no caption behind the number of a day or a title, where a language writes a stop there', async () => {
    const text = 'Wir kamen also am 3. Mai zu Dr. Weiß. Dann gingen wir.'
    const textsOf = async (language: string) =>
      (await captionsOf([said(text, 0, 0.3)], 60, language)).map(({ lines }) => lines.join(' '))
    expect(await textsOf('de')).toEqual([
      'Wir kamen also am 3. Mai zu Dr. Weiß.',
      'Dann gingen wir.',
    ])
    expect((await textsOf('en'))[0]).toBe('Wir kamen also am 3.')
  })

  it('has at most two lines of 42 characters, one after the other inside the video, whatever is said', async () => {
    const language = fc.constantFrom('en', 'ja', 'und')
    const seconds = fc.double({ min: 0.04, max: 80, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 12 }),
        seconds,
        language,
        async (all, end, code) => {
          const captions = await captionsOf(all, end, code)
          let before = 0
          for (const { startMs, endMs, lines } of captions) {
            expect(lines.length).toBeGreaterThan(0)
            expect(lines.length).toBeLessThanOrEqual(2)
            expect(Math.max(...lines.map(lengthOf))).toBeLessThanOrEqual(42)
            expect(lines.join('')).not.toMatch(/[\n\r]/)
            expect(startMs).toBeGreaterThanOrEqual(before)
            expect(endMs - startMs).toBeLessThanOrEqual(7_000)
            // In a video too short for a second each, the captions share its length.
            const least = Math.min(1_000, Math.floor((end * 1_000) / captions.length) - 1)
            expect(endMs - startMs).toBeGreaterThanOrEqual(least)
            expect(endMs).toBeLessThanOrEqual(end * 1_000)
            before = endMs
          }
        },
      ),
      seeded(300),
    )
  })

  it('loses no letter of the speech', async () => {
    const letters = (text: string): string => text.replace(/\s/g, '')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 200 }), { maxLength: 6 }), async (texts) => {
        const segments = texts.map((text, i) => ({ text, startTime: i * 8, endTime: i * 8 + 8 }))
        const speech = tidySpeech({ language: 'en', segments }, 60)
        const shown = (await makeCaptions(speech, 60)).flatMap(({ lines }) => lines)
        const whole = speech.segments.map(({ text }) => text).join('')
        expect(letters(shown.join(''))).toBe(letters(whole))
      }),
      seeded(),
    )
  })

  it('begins with the first word of a segment, to the millisecond', async () => {
    const segments = [said('One sentence here.', 1.234, 0.5), said('And another.', 4.5, 0.6)]
    expect((await captionsOf(segments)).map(({ startMs }) => startMs)).toEqual([1_234, 4_500])
  })

  it('breaks into lines of similar length, preferably after a comma', async () => {
    const text = 'When the rain had stopped at last, everybody went out to the garden.'
    expect((await captionsOf([said(text, 0, 0.3)]))[0]?.lines).toEqual([
      'When the rain had stopped at last,',
      'everybody went out to the garden.',
    ])
  })

  it('leaves no last word of a thought alone in a caption', async () => {
    const text =
      'Nobody who had walked along the harbour that day remembered any of the boats they had seen together'
    const [first, second, ...more] = await captionsOf([said(text, 0, 0.3)])
    expect(more).toEqual([])
    expect(first?.lines.join(' ')).toBe('Nobody who had walked along the harbour that day')
    expect(second?.lines.join(' ')).toBe('remembered any of the boats they had seen together')
    expect(second?.startMs).toBe(first?.endMs)
  })

  it('ends a caption with a sentence, and begins another after a pause', async () => {
    const text = 'This is it. That was all'
    const lines = await captionsOf([said(text, 0, 0.5), said('and more', 9, 0.4)])
    expect(lines.map((caption) => caption.lines)).toEqual([
      ['This is it.'],
      ['That was all'],
      ['and more'],
    ])
  })

  it('divides the time of a segment by its letters if its words have no times', async () => {
    const text = `${'a'.repeat(40)} ${'b'.repeat(40)} ${'c'.repeat(40)} ${'d'.repeat(40)}`
    const captions = await captionsOf([{ text, startTime: 2, endTime: 10 }])
    expect(captions).toEqual([
      { startMs: 2_000, endMs: 6_000, lines: ['a'.repeat(40), 'b'.repeat(40)] },
      { startMs: 6_000, endMs: 10_000, lines: ['c'.repeat(40), 'd'.repeat(40)] },
    ])
  })

  it('adds the punctuation of the segment to words without any', async () => {
    const segment = { ...said('good morning everyone', 0, 0.5), text: 'Good morning, everyone!' }
    expect((await captionsOf([segment]))[0]?.lines).toEqual(['Good morning, everyone!'])
  })

  it('breaks languages without spaces between their words', async () => {
    const text = '今日は天気がとても良いので、公園まで散歩に行きました。'.repeat(3)
    const captions = await captionsOf([{ text, startTime: 0, endTime: 18 }], 60, 'ja')
    expect(captions.length).toBeGreaterThan(1)
    expect(captions.flatMap(({ lines }) => lines).join('')).toBe(text)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, type TextRequest } from '../../../../containers/insight/edit/cut-text.ts'
import { spokenWords } from '../../../../containers/insight/edit/spoken-words.ts'
import { blocksPerSecond } from '../../../../containers/sound/level/block-meter.ts'
import type { Speech } from '../../../../containers/timeline/speech.ts'

/** Each word takes 0.4 s and follows a pause of 0.1 s. */
function spoken(text: string): Speech {
  const words = text.split(' ').map((word, i) => {
    return { text: word, startTime: 0.1 + i / 2, endTime: (i + 1) / 2 }
  })
  return { language: 'en', segments: [{ startTime: 0, endTime: words.length / 2, text, words }] }
}

const fps = 25

/** As loud as a voice, except in the pauses. */
function gridOf(seconds: number, isQuiet = (at: number): boolean => at % 0.5 < 0.1) {
  const loudness = Float32Array.from({ length: seconds * blocksPerSecond }, (_, i) =>
    isQuiet(i / blocksPerSecond) ? 1e-8 : 1e-2,
  )
  return { loudness, fps, totalFrames: seconds * fps }
}

function cut(text: string, request: TextRequest) {
  const words = spokenWords(spoken(text))
  const { spans, warnings } = cutText(words, request, gridOf(words.length / 2))
  return { warnings, seconds: spans.map(({ from, to }) => [from / fps, to / fps]) }
}

const said = 'well let me start again now let me start again there'

describe('cutText', () => {
  it('cuts every place in the pauses around it', () => {
    const { seconds, warnings } = cut(said, { removeText: ['let me start again'] })
    expect(warnings).toEqual([])
    expect(seconds).toEqual([
      [expect.closeTo(0.6, 2), expect.closeTo(2.52, 2)],
      [expect.closeTo(3.08, 2), expect.closeTo(5.04, 2)],
    ])
  })

  it('cuts one of the times, and names what was not said, or not as often', () => {
    const removeText = [
      { text: 'let me start again', occurrence: 2 },
      { text: 'let me start again', occurrence: 3 },
      'something else',
    ]
    const { seconds, warnings } = cut(said, { removeText })
    expect(seconds.map(([from = 0]) => Math.round(from))).toEqual([3])
    expect(warnings).toEqual([
      'removeText[1]: “let me start again” is said 2 times, so there is no occurrence 3.',
      'removeText[2]: “something else” was not heard.',
    ])
  })

  it('knows numbers below a hundred as the language says them', () => {
    const words = spokenWords({ ...spoken('noch 3 mal 42'), language: 'de' })
    for (const removeText of [['drei mal'], ['zweiundvierzig']]) {
      expect(cutText(words, { removeText, language: 'de' }, gridOf(2)).warnings).toEqual([])
    }
  })

  it('keeps only what is named, in the order of the video', () => {
    const { seconds, warnings } = cut('a b c d e f', { keepText: ['e', 'b c'] })
    expect(warnings).toEqual([])
    expect(seconds.map((pair) => pair.map((at) => Math.round(at * 2) / 2))).toEqual([
      [0, 0.5],
      [1.5, 2],
      [2.5, 3],
    ])
  })

  it('cuts nothing if nothing that was to stay is said', () => {
    const { seconds, warnings } = cut(said, { keepText: ['never said'] })
    expect(seconds).toEqual([])
    expect(warnings).toContain('keepText: none of it was found, so nothing was cut for it.')
  })

  it('names at most ten phrases that were not heard', () => {
    const removeText = Array.from({ length: 200 }, (_, i) => `phrase ${i}`)
    const { warnings } = cut(said, { removeText })
    expect(warnings).toHaveLength(11)
    expect(warnings.at(-1)).toBe('removeText: 190 more were not found, or not exactly.')
  })

  it('does not search for long when long phrases are not said', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i % 7}ord`)
    const removeText = Array.from({ length: 200 }, (_, i) => `${'word after word '.repeat(18)}${i}`)
    const begun = performance.now()
    cut(words.join(' '), { removeText })
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('says so if the provider does not tell when a word is said, and cuts whole sentences', () => {
    const words = spokenWords({
      language: 'en',
      segments: [
        { startTime: 0, endTime: 2, text: 'Let me start again.' },
        { startTime: 2, endTime: 4, text: 'So here we are.' },
      ],
    })
    const { spans, warnings } = cutText(
      words,
      { removeText: ['let me start again', 'here we'] },
      gridOf(4, () => false),
    )
    expect(spans).toEqual([{ from: 0, to: 50 }])
    expect(warnings).toEqual([expect.stringMatching(/^removeText\[1\]: “here we” is said, but/)])
  })

  it('leaves no half of a word behind because it is quiet inside of it, as before a "t"', () => {
    // "three" lasts from 1.1 to 1.5 s.
    const isQuiet = (at: number): boolean => (at > 1.14 && at < 1.21) || (at > 1.39 && at < 1.46)
    const { spans } = cutText(
      spokenWords(spoken('one two three four')),
      { removeText: ['three'] },
      gridOf(2, isQuiet),
    )
    const [cutOut] = spans
    expect((cutOut?.from ?? 0) / fps).toBeLessThanOrEqual(1.13)
    expect((cutOut?.to ?? 0) / fps).toBeGreaterThanOrEqual(1.47)
  })

  it('never cuts far into a word that stays, and most of each that goes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b'), { minLength: 2, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        fc.constantFrom(12, 25, 30, 60),
        (letters, noise, rate) => {
          const words = spokenWords(spoken(letters.join(' ')))
          const grid = {
            ...gridOf(letters.length / 2, (at) => noise[Math.floor(at * 20) % 40] ?? false),
            fps: rate,
            totalFrames: (letters.length / 2) * rate,
          }
          const { spans } = cutText(words, { removeText: ['a'] }, grid)
          for (const { letters: letter, startTime = 0, endTime = 0 } of words) {
            const gone = spans.reduce((sum, { from, to }) => {
              return (
                sum + Math.max(0, Math.min(to / rate, endTime) - Math.max(from / rate, startTime))
              )
            }, 0)
            if (letter === 'b') expect(gone).toBeLessThan(0.13)
            else expect(gone).toBeGreaterThan(0.19)
          }
        },
      ),
    )
  })
})

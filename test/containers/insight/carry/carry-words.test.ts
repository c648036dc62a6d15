import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carryWords, type Cuts } from '../../../../containers/insight/carry/carry-words.ts'
import { KeptTime, type TimeSpan } from '../../../../worker/contract/layout/kept-time.ts'
import type { Speech, SpeechSegment } from '../../../../containers/timeline/speech.ts'

const total = 60

function without(cuts: readonly TimeSpan[]): KeptTime {
  const starts = [0, ...cuts.map(({ to }) => to)]
  const spans = starts.map((from, i) => ({ from, to: cuts[i]?.from ?? total }))
  return new KeptTime(spans.filter(({ from, to }) => from < to))
}

const inOrder = (spans: readonly TimeSpan[]) => spans.toSorted((a, b) => a.from - b.from)

function cutting(
  asked: readonly TimeSpan[],
  silent: readonly TimeSpan[] = [],
  fillers: readonly TimeSpan[] = [],
): Cuts {
  return {
    all: without(inOrder([...asked, ...silent, ...fillers])),
    asked: without(inOrder([...asked, ...fillers])),
    worded: without(asked),
    voiced: without(silent),
  }
}

/** A word every second, each half a second long. */
function sentence(text: string, from = 0): SpeechSegment {
  const words = text.split(' ').map((word, i) => ({
    text: word,
    startTime: from + i,
    endTime: from + i + 0.5,
  }))
  return { text, startTime: from, endTime: from + words.length - 0.5, words }
}

const inEnglish = (...segments: SpeechSegment[]): Speech => ({ language: 'en', segments })
const textsOf = ({ segments }: Speech) => segments.map(({ text }) => text)
const wordsOf = ({ segments }: Speech) => segments.flatMap(({ words = [] }) => words)

describe('carryWords', () => {
  it('changes nothing if nothing is cut', () => {
    const speech = inEnglish(sentence('Good morning, everybody.'), sentence('Welcome.', 5))
    expect(carryWords(speech, cutting([]))).toEqual(speech)
  })

  it('moves the words after a cut, and ends the segment at the cut', () => {
    const speech = inEnglish(sentence('We went to Rome, and then home.'))
    const carried = carryWords(speech, cutting([{ from: 1.8, to: 4.8 }]))
    expect(textsOf(carried)).toEqual(['We went', 'then home.'])
    expect(carried.segments.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
      [0, 1.5],
      [expect.closeTo(2) as unknown, expect.closeTo(3.5) as unknown],
    ])
  })

  it('keeps the words of both parts of a transition, at the times at which they are heard', () => {
    const joined = [
      { from: 0, to: 3 },
      { from: 3, to: total, overlap: 1 },
    ]
    const cuts = { ...cutting([]), all: new KeptTime(joined) }
    const carried = carryWords(inEnglish(sentence('We went to Rome, then home.')), cuts)
    expect(textsOf(carried)).toEqual(['We went to', 'Rome, then home.'])
    expect(wordsOf(carried).map(({ startTime }) => startTime)).toEqual([0, 1, 2, 2, 3, 4])
  })

  it('drops a word of which a part was cut', () => {
    const speech = inEnglish(sentence('One two three.'))
    const cut = (from: number, to: number) => textsOf(carryWords(speech, cutting([{ from, to }])))
    // The second word is said from 1 to 1.5.
    expect(cut(1.2, 1.9)).toEqual(['One', 'three.'])
    expect(cut(1.25, 1.9)).toEqual(['One', 'three.'])
    expect(cut(1.35, 1.9)).toEqual(['One', 'three.'])
    expect(cut(0.6, 1.2)).toEqual(['One', 'three.'])
    expect(cut(1.2, 1.26)).toEqual(['One', 'three.'])
  })

  it('keeps a word that a cut reaches no further into than its times may be off', () => {
    const speech = inEnglish(sentence('One two three.'))
    const carried = carryWords(speech, cutting([{ from: 1.41, to: 1.9 }]))
    expect(textsOf(carried)).toEqual(['One two', 'three.'])
    expect(wordsOf(carried)[1]).toEqual({
      text: 'two',
      startTime: 1,
      endTime: expect.closeTo(1.41) as unknown,
    })
    const short = { text: 'a', startTime: 1, endTime: 1.09 }
    const said = inEnglish({ ...short, words: [short] })
    expect(textsOf(carryWords(said, cutting([{ from: 1.07, to: 2 }])))).toEqual(['a'])
    expect(textsOf(carryWords(said, cutting([{ from: 1.045, to: 2 }])))).toEqual([])
  })

  it('keeps the punctuation and capitals of the text, although the words come without them', () => {
    const words = ['so', 'mr', 'smith', 'said', 'hello'].map((text, i) => ({
      text,
      startTime: i,
      endTime: i + 0.5,
    }))
    const text = ' So, Mr. Smith said: “Hello!”'
    const speech = inEnglish({ text, startTime: 0, endTime: 4.5, words })
    const carried = carryWords(speech, cutting([{ from: 0.6, to: 1.8 }]))
    expect(textsOf(carried)).toEqual(['So,', 'Smith said: “Hello!”'])
  })

  it('uses the words as the text if the text has other words', () => {
    const words = [
      { text: ' one', startTime: 0, endTime: 0.5 },
      { text: 'two', startTime: 1, endTime: 1.5 },
      { text: 'three', startTime: 2, endTime: 2.5 },
    ]
    const speech = inEnglish({ text: '1, 2, 3', startTime: 0, endTime: 2.5, words })
    expect(textsOf(carryWords(speech, cutting([{ from: 1.8, to: 3 }])))).toEqual(['one two'])
  })

  it('loses no word to a pause, even if its time lies in the pause', () => {
    const said = { text: 'Yes.', startTime: 2, endTime: 2.1 }
    const speech = inEnglish({ ...said, words: [said] })
    const pause = { from: 1.9, to: 4 }
    expect(textsOf(carryWords(speech, cutting([], [pause])))).toEqual(['Yes.'])
    expect(textsOf(carryWords(speech, cutting([pause])))).toEqual([])
  })

  it('drops what may have been said in a removed segment if the words have no times', () => {
    const speech = inEnglish({ text: 'aaaa bbbb cccc dddd eeee', startTime: 10, endTime: 20 })
    const carried = carryWords(speech, cutting([{ from: 12.6, to: 14 }]))
    expect(carried.segments).toEqual([
      { text: 'aaaa', startTime: 10, endTime: 12 },
      {
        text: 'dddd eeee',
        startTime: expect.closeTo(14.6) as unknown,
        endTime: expect.closeTo(18.6) as unknown,
      },
    ])
  })

  it('drops a word without a time of which half was cut', () => {
    const speech = inEnglish({ text: 'Goodbye.', startTime: 10, endTime: 12 })
    expect(carryWords(speech, cutting([{ from: 11, to: 14 }])).segments).toEqual([])
  })

  it('keeps every word of a segment without word times if only a filler is removed', () => {
    const text = 'Before the filler. After it.'
    const speech = inEnglish({ text, startTime: 10, endTime: 14 })
    const carried = carryWords(speech, cutting([], [], [{ from: 12, to: 12.3 }]))
    expect(textsOf(carried).join(' ')).toBe(text)
  })

  it('keeps every word of a segment without word times if only pauses are removed', () => {
    const speech = inEnglish({ text: 'Before the pause. After it.', startTime: 10, endTime: 20 })
    const carried = carryWords(speech, cutting([], [{ from: 12, to: 19 }]))
    expect(carried.segments).toEqual([
      { text: 'Before the pause. After it.', startTime: 10, endTime: 13 },
    ])
  })

  it('splits languages without spaces between their words', () => {
    const words = ['你好', '世界', '再见'].map((text, i) => ({
      text,
      startTime: i,
      endTime: i + 0.5,
    }))
    const segment = { text: '你好，世界。再见。', startTime: 0, endTime: 2.5 }
    const cut = cutting([{ from: 0.8, to: 1.8 }])
    const timed = carryWords({ language: 'zh', segments: [{ ...segment, words }] }, cut)
    expect(textsOf(timed)).toEqual(['你好，', '再见。'])
  })
})

const anyCuts = fc
  .array(fc.double({ min: 0, max: total, noNaN: true }), { maxLength: 16 })
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map((edges) =>
    edges.flatMap((from, i) => (i % 2 === 0 ? [{ from, to: edges[i + 1] ?? total }] : [])),
  )
  .map((spans) => spans.filter(({ from, to }) => from < to))

const isAsked = fc.func(fc.boolean())

const anySpeech = fc
  .array(fc.double({ min: 0.05, max: 2, noNaN: true }), { minLength: 1, maxLength: 60 })
  .map((steps) => {
    let at = 0
    return steps.flatMap((step, i) => {
      const startTime = at
      at += step
      const endTime = startTime + step * 0.8
      return endTime < total ? [{ text: `w${i}${i % 7 === 6 ? '.' : ''}`, startTime, endTime }] : []
    })
  })
  .map((words) => {
    const segments: SpeechSegment[] = []
    for (let i = 0; i < words.length; i += 7) {
      const some = words.slice(i, i + 7)
      const text = some.map((word) => word.text).join(' ')
      const { startTime = 0 } = some[0] ?? {}
      segments.push({ text, startTime, endTime: some.at(-1)?.endTime ?? 0, words: some })
    }
    return inEnglish(...segments)
  })

describe('carryWords, whatever is said and cut', () => {
  it('keeps the order, doubles nothing, and stays inside the finished video', () => {
    fc.assert(
      fc.property(anySpeech, anyCuts, isAsked, (speech, spans, chooses) => {
        const asked = spans.filter((span) => chooses(span.from))
        const cuts = cutting(
          asked,
          spans.filter((span) => !asked.includes(span)),
        )
        const carried = carryWords(speech, cuts)
        const words = wordsOf(carried)
        const numbers = words.map(({ text }) => Number.parseInt(text.slice(1), 10))
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
        const length = total - spans.reduce((sum, { from, to }) => sum + to - from, 0)
        const times = words.flatMap(({ startTime, endTime }) => [startTime, endTime])
        for (const [i, time] of times.entries()) {
          expect(time).toBeGreaterThanOrEqual(i === 0 ? -1e-9 : (times[i - 1] ?? 0) - 1e-9)
          expect(time).toBeLessThanOrEqual(length + 1e-6)
        }
        for (const { text, words: own = [] } of carried.segments)
          expect(text).toBe(own.map((word) => word.text).join(' '))
      }),
    )
  })

  it('keeps a word that no cut touches, and drops one in a removed segment', () => {
    fc.assert(
      fc.property(anySpeech, anyCuts, (speech, spans) => {
        const left = new Set(wordsOf(carryWords(speech, cutting(spans))).map(({ text }) => text))
        for (const { text, startTime, endTime } of wordsOf(speech)) {
          const touches = spans.some(({ from, to }) => from < endTime && to > startTime)
          const within = spans.some(({ from, to }) => from <= startTime && to >= endTime)
          if (!touches) expect(left).toContain(text)
          if (within) expect(left).not.toContain(text)
        }
      }),
    )
  })
})

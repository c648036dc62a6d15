import { describe, expect, it } from 'vitest'
import {
  groupVoices,
  type VoicePrint,
} from '../../../../../containers/speech/local/voices/group-voices.ts'

const values = 24

/** Prints of voices that differ by `apart` in all means; what is said changes each value by about 1, and by `frames` inside a print. */
function printsOf(
  voices: readonly number[],
  { apart = 2, frames = 1, goesOn = false } = {},
): VoicePrint[] {
  let seed = 7
  const around = (middle: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return middle + 3 * (seed / 2_147_483_647 - 0.5)
  }
  return voices.map((voice, i) => ({
    values: Float32Array.from({ length: 2 * values }, (_, at) =>
      at < values ? around(voice * apart) : frames + 0.1 * around(0),
    ),
    ...{ seconds: 1.8, goesOn: goesOn && i > 0 && voices[i - 1] === voice },
  }))
}

const inTurns = (count: number, each: number) =>
  Array.from({ length: count }, (_, i) => Math.floor(i / each) % 2)

const inSentencesOfTwo = (prints: readonly VoicePrint[]): VoicePrint[] =>
  prints.map((print, i) => ({ ...print, goesOn: i % 2 === 1 }))

describe('groupVoices', () => {
  it('tells two voices of a few sentences apart, which change with each print, and is not certain of it', () => {
    const voices = inTurns(7, 1)
    for (const frames of [1, 4]) {
      const prints = printsOf(voices, { frames })
      expect(groupVoices(prints)).toEqual({ groups: voices, certain: false })
      expect(groupVoices(prints, 2).groups).toEqual(voices)
    }
  })

  it.each([14, 16])(
    'takes one voice for one that says %i prints, two in each sentence',
    (count) => {
      const prints = inSentencesOfTwo(printsOf(inTurns(count, count)))
      expect(groupVoices(prints).groups).toEqual(prints.map(() => 0))
    },
  )

  it('is certain of two voices after a minute, and takes one voice for one', () => {
    const voices = inTurns(40, 5)
    expect(groupVoices(printsOf(voices, { goesOn: true }))).toEqual({
      groups: voices,
      certain: true,
    })
    const one = printsOf(voices, { apart: 0, goesOn: true })
    expect(groupVoices(one).groups).toEqual(voices.map(() => 0))
  })

  it('is certain after half a minute of two voices, and later of more', () => {
    const inTurnsOf = (voices: number, count: number) =>
      Array.from({ length: count }, (_, i) => Math.floor(i / 3) % voices)
    const all = [inTurnsOf(2, 19), inTurnsOf(2, 21), inTurnsOf(3, 23), inTurnsOf(3, 27)]
    for (const [i, voices] of all.entries()) {
      const prints = printsOf(voices, { apart: 0 }).map((print, at) => ({
        ...print,
        values: print.values.map((value, of) => value + (of % 3 === voices[at] ? 3 : 0)),
        goesOn: at % 3 > 0,
      }))
      expect(groupVoices(prints)).toEqual({ groups: voices, certain: i % 2 === 1 })
    }
  })

  it('takes a few recordings that are played again and again for one voice, as they are once', () => {
    const once = printsOf([...inTurns(40, 5), 2, 2, 2, 2], { goesOn: true })
    const [others, jingle] = [once.slice(0, 40), once.slice(40)]
    const again = [...others, ...Array.from({ length: 15 }, () => jingle).flat()]
    const { groups } = groupVoices(again)
    expect(groups).toEqual([...inTurns(40, 5), ...again.slice(40).map(() => 2)])
  })

  it('takes them for one voice with other noise each time as well', () => {
    const once = inSentencesOfTwo(printsOf([...inTurns(30, 30), ...inTurns(20, 10).slice(10)]))
    const [others, sentences] = [once.slice(0, 30), once.slice(30)]
    let seed = 3
    const noise = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
    const noisy = (print: VoicePrint): VoicePrint => ({
      ...print,
      values: print.values.map((value, at) => value + (at < values ? 1.6 : 0.16) * noise()),
    })
    const again = Array.from({ length: 10 }, () => sentences.map(noisy)).flat()
    expect(groupVoices([...others, ...again]).groups).toEqual([
      ...others.map(() => 0),
      ...again.map(() => 1),
    ])
  })

  /** Two prints of each sentence; somebody else says the thirteenth. */
  const withOne = (apart: number) => {
    const voices = Array.from({ length: 44 }, (_, i) => Number(i >> 1 === 12))
    return { voices, prints: inSentencesOfTwo(printsOf(voices, { apart })) }
  }

  it('knows somebody who says one sentence only', () => {
    const { voices, prints } = withOne(2)
    expect(groupVoices(prints)).toEqual({ groups: voices, certain: true })
  })

  it('is not certain of somebody whose only sentence is hardly different enough', () => {
    const { voices, prints } = withOne(1)
    expect(groupVoices(prints)).toEqual({ groups: voices, certain: false })
  })

  it('says it is not certain if somebody else may have said one sentence, and finds that person once the request gives the number', () => {
    const { voices, prints } = withOne(0.8)
    expect(groupVoices(prints)).toEqual({ groups: voices.map(() => 0), certain: false })
    expect(groupVoices(prints, 2).groups).toEqual(voices)
  })

  /** Four prints of each sentence. What is said changes all values together, and by more than the voice does. */
  const alike = (sentences: readonly number[]) => {
    const voices = sentences.flatMap((voice) => [voice, voice, voice, voice])
    return printsOf(voices, { apart: 0 }).map((print, i) => {
      const said = 2 * Math.sin(i * i + i)
      const ofVoice = (at: number) => (at % 4 === voices[i] ? 2 : 0)
      const changed = print.values.map((value, at) => value + said * Math.cos(at) + ofVoice(at))
      return { ...print, values: changed, goesOn: i % 4 > 0 }
    })
  }

  it('learns from minutes of speech how what is said changes values together, and then tells voices that are alike', () => {
    const often = Array.from({ length: 36 }, (_, i) => i % 2)
    const sentences = [...often, 2, 0, 3, 1, 2, 0, 3, 1, 2, 0, 3]
    const expected = sentences.flatMap((voice) => [voice, voice, voice, voice])
    expect(groupVoices(alike(sentences)).groups).toEqual(expected)
    expect(groupVoices(alike(often.map(() => 0))).groups).toEqual(often.flatMap(() => [0, 0, 0, 0]))
  })

  it('says nothing of silence, and of a single sentence that one person speaks', () => {
    expect(groupVoices([])).toEqual({ groups: [], certain: false })
    expect(groupVoices(printsOf([0]))).toEqual({ groups: [0], certain: false })
    expect(groupVoices(printsOf([0]), 2)).toEqual({ groups: [0], certain: false })
  })
})

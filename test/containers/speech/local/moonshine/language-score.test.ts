import { describe, expect, it } from 'vitest'
import {
  isInDoubt,
  judgeAgain,
  judgeOne,
  meanCertainty,
} from '../../../../../containers/speech/local/moonshine/language-score.ts'

describe('meanCertainty', () => {
  it('is the mean over all tokens, not over windows', () => {
    const parts = [
      { logProbability: -1, judged: 10 },
      { logProbability: -9, judged: 30 },
      { logProbability: 0, judged: 0 },
    ]
    expect(meanCertainty(parts)).toBeCloseTo(-0.25)
  })

  it('is 0 for silence', () => {
    expect(meanCertainty([])).toBe(0)
  })
})

it('isInDoubt asks for no second hearing of clear English, or of what is nothing like English', () => {
  expect([-0.2, -0.4, -1.2, -1.4].map(isInDoubt)).toEqual([false, true, true, false])
})

const hearing = (certainty: number, text: string, tokens = 8) => ({ certainty, text, tokens })

describe('judgeAgain', () => {
  it('rises if all hearings give the same words, whatever the punctuation', () => {
    const first = hearing(-0.5, 'We’re asking; for trouble!', 6)
    const { score, confidence } = judgeAgain(first, [hearing(-0.7, 'we’re asking for Trouble')])
    const unweighed = -0.6 + 0.4565 - 0.15 * (6 / 5 - 1.3)
    expect(score).toBeCloseTo(-0.5 + (unweighed + 0.5) * (25 / 26))
    expect(confidence).toBeGreaterThan(0.8)
  })

  it('falls if each hearing invents another text', () => {
    const first = hearing(-0.4, 'You are my thing, you', 7)
    const { score, confidence } = judgeAgain(first, [hearing(-0.6, 'Hello, eat')])
    expect(score).toBeLessThan(-0.85)
    expect(confidence).toBeLessThan(0.2)
    expect(judgeAgain(first, [hearing(-0.6, '')]).score).toBeCloseTo(score)
  })

  it('compares every hearing with every other', () => {
    const [plain, odd] = [hearing(-0.5, 'stop talking now', 4), hearing(-0.5, 'stuck tall kin', 4)]
    const scores = [
      [plain, plain],
      [plain, odd],
      [odd, plain],
      [odd, odd],
    ].map((others) => judgeAgain(plain, others).score)
    const [same = 0, once = 0, onceToo = 0, never = 0] = scores
    expect(same).toBeGreaterThan(once)
    expect(once).toBeCloseTo(onceToo)
    // The two others agree with each other.
    expect(never).toBeCloseTo(once)
  })

  it('falls if words take more tokens than English ones', () => {
    const [plain, odd] = [
      hearing(-0.6, 'the old bridge', 4),
      hearing(-0.6, 'dermann ister bruk', 9),
    ]
    const [usual, many] = [judgeAgain(plain, [plain]), judgeAgain(odd, [odd])]
    expect(many.score).toBeLessThan(usual.score - 0.2)
  })

  it('is the certainty of the silence if no text was recognised', () => {
    const music = judgeAgain(hearing(-0.02, ''), [hearing(-0.04, ' ')])
    expect(music.score).toBeCloseTo(-0.03)
    const foreign = judgeAgain(hearing(-0.9, ''), [hearing(-0.7, '')])
    expect(foreign.score).toBeCloseTo(-0.8)
  })

  it('neither refuses a word or two that were misheard, nor is sure of them', () => {
    const scoreOf = (text: string, tokens: number) =>
      judgeAgain(hearing(-0.9, text, tokens), [hearing(-0.9, 'no')]).score
    expect(scoreOf('jingo', 2)).toBeGreaterThan(-1)
    expect(scoreOf('one two three four five', 10)).toBeLessThan(-1.2)
    expect(judgeOne({ certainty: -0.24, text: 'Internal,' }).confidence).toBeLessThan(0.7)
  })
})

describe('judgeOne', () => {
  const judge = (certainty: number) =>
    judgeOne({ certainty, text: 'has never been surpassed at all' })

  it('is more confident of clearer English, and not at all of what is nothing like it', () => {
    const clear = judge(-0.03)
    expect(clear.score).toBeCloseTo(-0.043)
    expect(clear.confidence).toBeCloseTo(0.98, 1)
    expect(judge(-0.29).confidence).toBeLessThan(clear.confidence)
    expect(judge(-0.29).confidence).toBeGreaterThan(0.9)
    expect(judge(-1.5).score).toBeCloseTo(-1.473)
    expect(judge(-1.5).confidence).toBeCloseTo(0, 1)
  })

  it('is as sure of silence as the decoder', () => {
    expect(judgeOne({ certainty: 0, text: '' })).toMatchObject({ score: 0 })
  })
})

import { describe, expect, it } from 'vitest'
import {
  isInDoubt,
  judgeOne,
  judgeTwo,
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

describe('isInDoubt', () => {
  it('asks for no second hearing of clear English, or of what is nothing like English', () => {
    expect([-0.2, -0.4, -1.2, -1.4].map(isInDoubt)).toEqual([false, true, true, false])
  })
})

const hearing = (certainty: number, text: string, tokens = 8) => ({ certainty, text, tokens })

describe('judgeTwo', () => {
  it('rises if both hearings give the same words, whatever the punctuation', () => {
    const first = hearing(-0.5, 'We’re asking; for trouble!', 6)
    const { score, confidence } = judgeTwo(first, hearing(-0.7, 'we’re asking for Trouble'))
    expect(score).toBeCloseTo(-0.6 + 0.4565 - 0.15 * (6 / 5 - 1.3))
    expect(confidence).toBeGreaterThan(0.8)
  })

  it('falls if each hearing invents another text', () => {
    const first = hearing(-0.4, 'You are my thing, you', 7)
    const { score, confidence } = judgeTwo(first, hearing(-0.6, 'Hello, eat'))
    expect(score).toBeLessThan(-0.85)
    expect(confidence).toBeLessThan(0.2)
    expect(judgeTwo(first, hearing(-0.6, '')).score).toBeCloseTo(score)
  })

  it('falls if words take more tokens than English ones', () => {
    const [plain, odd] = [
      hearing(-0.6, 'the old bridge', 4),
      hearing(-0.6, 'dermann ister bruk', 9),
    ]
    expect(judgeTwo(odd, odd).score).toBeLessThan(judgeTwo(plain, plain).score - 0.2)
  })

  it('is the certainty of the silence if no text was recognised', () => {
    const music = judgeTwo(hearing(-0.02, ''), hearing(-0.04, ' '))
    expect(music.score).toBeCloseTo(-0.03)
    const foreign = judgeTwo(hearing(-0.9, ''), hearing(-0.7, ''))
    expect(foreign.score).toBeCloseTo(-0.8)
  })
})

describe('judgeOne', () => {
  it('is more confident of clearer English, and not at all of what is nothing like it', () => {
    const clear = judgeOne(-0.03)
    expect(clear).toEqual({ score: -0.03, confidence: expect.closeTo(0.98, 1) as unknown })
    expect(judgeOne(-0.29).confidence).toBeLessThan(clear.confidence)
    expect(judgeOne(-0.29).confidence).toBeGreaterThan(0.9)
    expect(judgeOne(-1.5)).toEqual({ score: -1.5, confidence: expect.closeTo(0, 1) as unknown })
  })
})

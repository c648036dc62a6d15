import { describe, expect, it } from 'vitest'
import { languageScore } from '../../../../containers/speech/local/judge-language.ts'

describe('languageScore', () => {
  it('is the mean over all tokens, not over windows', () => {
    const parts = [
      { logProbability: -1, judged: 10 },
      { logProbability: -9, judged: 30 },
      { logProbability: 0, judged: 0 },
    ]
    expect(languageScore(parts)).toBeCloseTo(-0.25)
  })

  it('accuses nobody of silence', () => {
    expect(languageScore([])).toBe(0)
  })

  it('is lenient with a single word', () => {
    expect(languageScore([{ logProbability: -2.4, judged: 4 }])).toBeCloseTo(-0.42)
    expect(languageScore([{ logProbability: -6, judged: 10 }])).toBeCloseTo(-0.6)
  })
})

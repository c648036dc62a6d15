import { describe, expect, it } from 'vitest'
import {
  isInDoubt,
  meanCertainty,
  scoreOfTwo,
} from '../../../../containers/speech/local/judge-language.ts'

describe('meanCertainty', () => {
  it('is the mean over all tokens, not over windows', () => {
    const parts = [
      { logProbability: -1, judged: 10 },
      { logProbability: -9, judged: 30 },
      { logProbability: 0, judged: 0 },
    ]
    expect(meanCertainty(parts)).toBeCloseTo(-0.25)
  })

  it('accuses nobody of silence', () => {
    expect(meanCertainty([])).toBe(0)
  })
})

describe('isInDoubt', () => {
  it('spares clear English and what is nothing like it the second hearing', () => {
    expect([-0.2, -0.4, -0.9, -1.1].map(isInDoubt)).toEqual([false, true, true, false])
  })
})

describe('scoreOfTwo', () => {
  it('rises where both hearings read the same, whatever the marks', () => {
    const first = { certainty: -0.5, text: 'We’re asking; for trouble!' }
    const second = { certainty: -0.7, text: 'we’re asking for Trouble' }
    expect(scoreOfTwo(first, second)).toBeCloseTo(-0.325)
  })

  it('falls where each hearing makes up something else', () => {
    const first = { certainty: -0.4, text: 'You are my thing, you' }
    const second = { certainty: -0.6, text: 'Hello, eat' }
    expect(scoreOfTwo(first, second)).toBeCloseTo(-0.725)
    expect(scoreOfTwo(first, { certainty: -0.6, text: '' })).toBeCloseTo(-0.725)
  })

  it('is how sure it was of the silence where nothing was written', () => {
    const music = { certainty: -0.02, text: '' }
    expect(scoreOfTwo(music, { certainty: -0.04, text: ' ' })).toBeCloseTo(-0.03)
    const foreign = { certainty: -0.9, text: '' }
    expect(scoreOfTwo(foreign, { certainty: -0.7, text: '' })).toBeCloseTo(-0.8)
  })
})

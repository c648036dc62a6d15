import { describe, expect, it } from 'vitest'
import { ruleOut } from '../../../../../containers/speech/local/whisper/decode-whisper.ts'

/** Tokens 0 … 4 are text, 5 the end, 6 and 7 steer the model, and 10 is the timestamp of 0.00 seconds. */
const rules = {
  end: 5,
  suppressed: [6, 7, 8, 9, 2],
  suppressedFirst: [0, 5],
  firstTimestamp: 10,
  latestStart: 3,
}

type Case = { likely?: readonly number[]; more?: object }

/** Which tokens may come after a text, if all are as likely. */
function allowed(written: readonly number[], { likely = [], more }: Case = {}) {
  const logits = new Float32Array(20)
  for (const token of likely) logits[token] = 9
  ruleOut(logits, written, { rules: { ...rules, ...more }, seconds: 0.1 })
  return [...logits.keys()].filter((token) => logits[token] !== Number.NEGATIVE_INFINITY)
}

describe('ruleOut', () => {
  it('begins with a timestamp within the first second', () => {
    expect(allowed([])).toEqual([10, 11, 12, 13])
  })

  it('writes text after the first timestamp, and never what is suppressed', () => {
    expect(allowed([11], { likely: [1] })).toEqual([0, 1, 3, 4, 5])
  })

  it('closes a text with a later timestamp, not after the end of the sound', () => {
    expect(allowed([11, 3], { likely: [4] })).toEqual([0, 1, 3, 4, 5, 12, 13, 14, 15])
  })

  it('opens the next text no earlier than the last one ended, or ends', () => {
    expect(allowed([11, 3, 13], { likely: [5] })).toEqual([5, 13, 14, 15])
    expect(allowed([11, 3, 13, 13], { likely: [1] })).toEqual([0, 1, 3, 4, 5])
  })

  it('takes a timestamp where all of them together are more likely than any text', () => {
    expect(allowed([11, 3])).toEqual([12, 13, 14, 15])
    expect(allowed([11, 3], { likely: [1, 12] })).toEqual([12, 13, 14, 15])
  })

  it('only suppresses in a model without timestamps', () => {
    const plain = { firstTimestamp: undefined, suppressed: [2], suppressedFirst: [0, 5] }
    expect(allowed([], { more: plain })).not.toContain(5)
    expect(allowed([1], { more: plain })).toHaveLength(19)
  })
})

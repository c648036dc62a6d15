import { describe, expect, it } from 'vitest'
import { findSpeech } from '../../../../containers/speech/local/find-speech.ts'

const settings = { on: 0.4, off: 0.25, leastPause: 30, leastSpeech: 20 }
const blocks = (...runs: [probability: number, count: number][]): number[] =>
  runs.flatMap(([probability, count]) => Array.from({ length: count }, () => probability))

describe('findSpeech', () => {
  it('finds nothing if no block is likely enough', () => {
    expect(findSpeech(blocks([0.39, 50]), 10, settings)).toEqual([])
    expect(findSpeech([], 10, settings)).toEqual([])
  })

  it('begins at a certain block, and ends after enough doubtful ones', () => {
    const probabilities = blocks([0, 5], [0.9, 4], [0.3, 4], [0.1, 6])
    expect(findSpeech(probabilities, 10, settings)).toEqual([{ start: 50, end: 130 }])
  })

  it('bridges a pause within a sentence', () => {
    const probabilities = blocks([0.9, 4], [0, 3], [0.9, 4], [0, 9])
    expect(findSpeech(probabilities, 10, settings)).toEqual([{ start: 0, end: 110 }])
  })

  it('ignores a click', () => {
    expect(findSpeech(blocks([0, 5], [0.9, 1], [0, 9]), 10, settings)).toEqual([])
  })

  it('keeps speech that lasts to the end', () => {
    expect(findSpeech(blocks([0, 5], [0.9, 4]), 10, settings)).toEqual([{ start: 50, end: 90 }])
  })
})

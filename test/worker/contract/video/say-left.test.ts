import { describe, expect, it } from 'vitest'
import { ageLeft, leftAfter, sayLeft } from '../../../../worker/contract/video/say-left.ts'

const told = { seconds: 10, least: 8, most: 14 }

describe('the time that is left some seconds after it was told', () => {
  it('is less by the seconds that have passed', () => {
    expect(ageLeft(told, 4)).toEqual({ seconds: 6, least: 4, most: 10 })
  })

  it('never counts down to nothing: work that takes longer than told is not near its end', () => {
    expect(ageLeft(told, 20)).toEqual({ seconds: 5, least: 0, most: 15 })
    expect(ageLeft({ seconds: 0.6, least: 0.6, most: 0.6 }, 0.4).seconds).toBe(0.5)
  })

  it('has a range again once the job should have ended', () => {
    expect(leftAfter({ secondsLeft: 5 }, 2)).toEqual({ secondsLeft: 3 })
    const late = leftAfter({ secondsLeft: 5 }, 8)
    expect(late).toEqual({ secondsLeft: 2, secondsLeftRange: { least: 0, most: 6 } })
    expect(sayLeft(late)).toBe('1 s to 6 s left')
    expect(leftAfter({}, 8)).toEqual({})
  })
})

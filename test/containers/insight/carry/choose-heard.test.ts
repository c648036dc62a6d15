import { describe, expect, it } from 'vitest'
import {
  chooseHeard,
  heardSeconds,
  onRawTimeline,
} from '../../../../containers/insight/carry/choose-heard.ts'

describe('chooseHeard', () => {
  it('hears everything where only short parts go', () => {
    const cuts = [
      { from: 0, to: 9 },
      { from: 20, to: 30 },
    ]
    expect(chooseHeard(60, cuts)).toEqual([{ from: 0, to: 60, at: 0 }])
  })

  it('leaves out long parts that go, but for a little at either end', () => {
    const heard = chooseHeard(3_600, [
      { from: 0, to: 600 },
      { from: 700, to: 3_000 },
      { from: 3_100, to: 3_600 },
    ])
    expect(heard).toEqual([
      { from: 598, to: 702, at: 0 },
      { from: 2_998, to: 3_102, at: 105.2 },
    ])
    expect(heardSeconds(heard)).toBeCloseTo(209.2)
  })
})

describe('onRawTimeline', () => {
  it('finds where in the raw timeline something was said', () => {
    const heard = chooseHeard(100, [{ from: 20, to: 80 }])
    const word = (startTime: number, text: string) => ({
      text,
      startTime,
      endTime: startTime + 0.5,
    })
    const words = [word(10, 'here'), word(22.5, 'between'), word(26, 'there')]
    const speech = { language: 'en', segments: [{ ...word(10, 'all'), endTime: 26.5, words }] }
    const [segment] = onRawTimeline(speech, heard).segments
    expect(segment).toMatchObject({ startTime: 10, endTime: expect.closeTo(81.3) })
    expect(segment?.words?.map(({ startTime }) => startTime)).toEqual([
      10,
      22,
      expect.closeTo(80.8),
    ])
  })
})

import { describe, expect, it } from 'vitest'
import {
  chooseHeard,
  heardSeconds,
  onRawTimeline,
} from '../../../../containers/insight/carry/choose-heard.ts'

describe('chooseHeard', () => {
  it('transcribes everything if only short parts are removed', () => {
    const asked = [{ from: 0, to: 3 }]
    const silent = [{ from: 20, to: 29 }]
    expect(chooseHeard(60, { asked, silent, isSentAway: false })).toEqual([
      { from: 0, to: 60, at: 0 },
    ])
  })

  it('leaves out long removed parts, except for a little at either end', () => {
    const asked = [
      { from: 0, to: 600 },
      { from: 700, to: 3_000 },
    ]
    const silent = [{ from: 3_100, to: 3_600 }]
    const heard = chooseHeard(3_600, { asked, silent, isSentAway: false })
    expect(heard).toEqual([
      { from: 599, to: 701, at: 0 },
      { from: 2_999, to: 3_101, at: 103.2 },
    ])
    expect(heardSeconds(heard)).toBeCloseTo(205.2)
  })

  it('transcribes at most a second at either end of a removed segment', () => {
    const heard = chooseHeard(20, {
      asked: [{ from: 5, to: 9 }],
      silent: [{ from: 9, to: 10 }],
      isSentAway: false,
    })
    expect(heard).toEqual([
      { from: 0, to: 6, at: 0 },
      { from: 8, to: 20, at: 7.2 },
    ])
  })

  it('sends no part of a removed segment to a remote provider, however short', () => {
    const asked = [
      { from: 2, to: 3 },
      { from: 5, to: 9 },
    ]
    const silent = [{ from: 10, to: 12 }]
    expect(chooseHeard(20, { asked, silent, isSentAway: true })).toEqual([
      { from: 0, to: 2, at: 0 },
      { from: 3, to: 5, at: 3.2 },
      { from: 9, to: 20, at: 6.4 },
    ])
  })
})

describe('onRawTimeline', () => {
  it('finds the time of speech in the raw timeline', () => {
    const heard = chooseHeard(100, { asked: [{ from: 20, to: 80 }], silent: [], isSentAway: false })
    const word = (startTime: number, text: string) => ({
      text,
      startTime,
      endTime: startTime + 0.5,
    })
    const words = [word(10, 'here'), word(21.5, 'between'), word(25, 'there')]
    const speech = { language: 'en', segments: [{ ...word(10, 'all'), endTime: 25.5, words }] }
    const [segment] = onRawTimeline(speech, heard).segments
    expect(segment).toMatchObject({ startTime: 10, endTime: expect.closeTo(82.3) as unknown })
    expect(segment?.words?.map(({ startTime }) => startTime)).toEqual([
      10,
      21,
      expect.closeTo(81.8) as unknown,
    ])
  })
})

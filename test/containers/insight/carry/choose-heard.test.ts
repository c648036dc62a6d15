import { describe, expect, it } from 'vitest'
import {
  chooseHeard,
  heardLength,
  onRawTimeline,
} from '../../../../containers/insight/carry/choose-heard.ts'

describe('chooseHeard', () => {
  it('transcribes everything if only short parts are removed', () => {
    const asked = [{ from: 0, to: 9 }]
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
      { from: 597, to: 703, at: 0 },
      { from: 2_997, to: 3_101, at: 107.2 },
    ])
    expect(heardLength(heard)).toBeCloseTo(211.2)
  })

  it('transcribes three seconds at either end of a long removed segment', () => {
    const heard = chooseHeard(30, {
      asked: [{ from: 5, to: 18 }],
      silent: [{ from: 18, to: 19 }],
      isSentAway: false,
    })
    expect(heard).toEqual([
      { from: 0, to: 8, at: 0 },
      { from: 15, to: 30, at: 9.2 },
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

it('onRawTimeline finds the time of speech in the raw timeline', () => {
  const heard = chooseHeard(100, { asked: [{ from: 20, to: 80 }], silent: [], isSentAway: false })
  const word = (startTime: number, text: string) => ({
    text,
    startTime,
    endTime: startTime + 0.5,
  })
  const words = [word(10, 'here'), word(23.5, 'between'), word(25, 'there')]
  const speech = { language: 'en', segments: [{ ...word(10, 'all'), endTime: 25.5, words }] }
  const [segment] = onRawTimeline(speech, heard).segments
  expect(segment).toMatchObject({ startTime: 10, endTime: expect.closeTo(78.3) as unknown })
  expect(segment?.words?.map(({ startTime }) => startTime)).toEqual([
    10,
    23,
    expect.closeTo(77.8) as unknown,
  ])
})

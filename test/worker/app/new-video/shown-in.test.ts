import { describe, expect, it } from 'vitest'
import { takenAway } from '../../../../worker/app/scripts/new-video/preview/cut-ranges.ts'
import { textsIn } from '../../../../worker/app/scripts/new-video/texts-in.ts'
import { besideResult, shownIn } from '../../../../worker/app/scripts/new-video/preview/shown-in.ts'

describe('shownIn', () => {
  const clip = { duration: 20, cuts: [{ startTime: 2, endTime: 5 }], speed: 1 }

  it('tells where the times of the finished video are in the clip', () => {
    expect(shownIn({ timing: { startTime: 1, endTime: 4 } }, clip)).toEqual({
      startTime: 1,
      endTime: 7,
    })
    expect(shownIn({ timing: { startTime: 2, endTime: 4 } }, { ...clip, speed: 2 })).toEqual({
      startTime: 7,
      endTime: 11,
    })
    expect(shownIn({ timing: { startTime: 3 } }, clip)).toEqual({ startTime: 6, endTime: 20 })
  })

  it('is the whole clip without times, and none of it after its end', () => {
    const whole = { startTime: 0, endTime: 20 }
    expect(shownIn({}, clip)).toEqual(whole)
    expect(shownIn({ timing: { startTime: 4, endTime: 9, entireVideo: true } }, clip)).toEqual(
      whole,
    )
    expect(shownIn({ timing: { startTime: 17 } }, clip)).toBeUndefined()
  })
})

describe('besideResult', () => {
  const clip = { duration: 20, cuts: [{ startTime: 2, endTime: 5 }], speed: 1 }
  const outputs = [{ name: 'clip-1', startTime: 1, duration: 3 }]

  it('is what lies outside of the only result, which counts in the finished film', () => {
    expect(besideResult({ outputs }, clip)).toEqual([
      { startTime: 0, endTime: 1 },
      { startTime: 7, endTime: 20 },
    ])
  })

  it('is nothing where a result is whole, or where there are several', () => {
    expect(besideResult({ outputs: [{ name: 'whole' }] }, clip)).toEqual([])
    expect(besideResult({ outputs: [...outputs, { name: 'whole' }] }, clip)).toEqual([])
    expect(besideResult({}, clip)).toEqual([])
  })
})

it('takenAway is what lies outside of keepSegments, and both ends', () => {
  const keepSegments = [
    { startTime: '0:12', endTime: 15 },
    { startTime: 3, endTime: 8 },
  ]
  expect(takenAway({ keepSegments, trim: { end: 1 } }, 20)).toEqual([
    { startTime: 0, endTime: 3 },
    { startTime: 8, endTime: 12 },
    { startTime: 15, endTime: 20 },
    { startTime: 19, endTime: 20 },
  ])
  expect(takenAway({}, 20)).toEqual([])
})

it('textsIn reads names and texts, and leaves everything else to the box of JSON', () => {
  expect(textsIn('')).toEqual([])
  expect(textsIn('{"order": "8127", "by": ""}')).toEqual([
    ['order', '8127'],
    ['by', ''],
  ])
  for (const json of ['{"order": 8127}', '[]', '{"a": {}}', '{"a"']) {
    expect(textsIn(json)).toBeUndefined()
  }
})

import { describe, expect, it } from 'vitest'
import { textsIn } from '../../../../worker/app/scripts/new-video/texts-in.ts'
import { shownIn } from '../../../../worker/app/scripts/new-video/preview/shown-in.ts'

describe('shownIn', () => {
  const clip = { duration: 20, cuts: [{ startTime: 2, endTime: 5 }] }

  it('tells where the times of the finished video are in the clip', () => {
    expect(shownIn({ timing: { startTime: 1, endTime: 4 } }, clip)).toEqual({
      startTime: 1,
      endTime: 7,
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

describe('textsIn', () => {
  it('reads names and texts, and leaves everything else to the box of JSON', () => {
    expect(textsIn('')).toEqual([])
    expect(textsIn('{"order": "8127", "by": ""}')).toEqual([
      ['order', '8127'],
      ['by', ''],
    ])
    for (const json of ['{"order": 8127}', '[]', '{"a": {}}', '{"a"']) {
      expect(textsIn(json)).toBeUndefined()
    }
  })
})

import { describe, expect, it } from 'vitest'
import { createVideo } from '../../../worker/contract/options/create-video.ts'
import { secondsOf } from '../../../worker/contract/input/clock-time.ts'
import { faultsOf, minimalBody } from '../../support/node/create-faults.ts'

describe('secondsOf', () => {
  it.each([
    ['1:02:03.5', 3723.5],
    ['00:01:02.5', 62.5],
    ['02:03', 123],
    ['75:00', 4500],
    ['0:00.1', 0.1],
    ['90', 90],
    ['1.5', 1.5],
  ])('reads %s as %d', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each([
    '1:75',
    '1.',
    '1:2:3:4',
    '1:60:00',
    '1:5',
    '',
    ':30',
    '1:02:',
    '-1',
    '1e3',
    ' 1',
    '1:02,5',
  ])('does not read %j', (text) => {
    expect(secondsOf(text)).toBeUndefined()
  })
})

describe('time', () => {
  it('makes numbers of times wherever seconds are', () => {
    const made = createVideo.parse({
      ...minimalBody,
      removeSegments: [{ startTime: '0:01.5', endTime: '00:00:02' }],
      elements: [
        {
          type: 'text',
          text: 'Hi',
          timing: { startTime: '00:01', endTime: 5 },
          effects: { fadeIn: { duration: '0:00.25' } },
        },
      ],
      outputs: [
        { name: 'part', startTime: '1:02:03.5', duration: '00:10' },
        { name: 'stills', outputFormat: 'jpg', times: ['0:01', 2] },
      ],
    })
    expect(made.removeSegments).toEqual([{ startTime: 1.5, endTime: 2 }])
    expect(made.elements?.[0]).toMatchObject({
      timing: { startTime: 1, endTime: 5 },
      effects: { fadeIn: { duration: 0.25 } },
    })
    expect(made.outputs?.[0]).toMatchObject({ startTime: 3723.5, duration: 10 })
    expect(made.outputs?.[1]?.times).toEqual([1, 2])
  })

  it('makes numbers of how long pictures and transitions last', () => {
    const transition = { type: 'fade', duration: '0:01' }
    const card = { url: 'https://example.com/card.png', duration: '0:02.5', transition }
    const files = [card, { url: 'https://example.com/a.mp4' }]
    const made = createVideo.parse({ combine: true, files, cutTransition: transition })
    expect(made.files?.[0]).toMatchObject({ duration: 2.5, transition: { duration: 1 } })
    expect(made.cutTransition).toMatchObject({ duration: 1 })
  })

  it('names the field of a time that is none, or out of range', () => {
    const is = 'Must be a number of seconds such as 1.5, or a time such as "00:01:02.5"'
    const removeSegments = [
      { startTime: '1:75', endTime: '1:2:3:4' },
      { startTime: '0:10', endTime: '0:05' },
      { startTime: null, endTime: 1 },
    ]
    const outputs = [{ name: 'a', startTime: '999999999:00', duration: '0:00' }]
    expect(faultsOf({ ...minimalBody, removeSegments, outputs })).toEqual([
      { field: 'removeSegments[0].startTime', message: is },
      { field: 'removeSegments[0].endTime', message: is },
      { field: 'removeSegments[1].endTime', message: 'Must be after startTime' },
      { field: 'removeSegments[2].startTime', message: is },
      { field: 'outputs[0].startTime', message: is },
      { field: 'outputs[0].duration', message: 'Must be more than 0 seconds' },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { fieldPath } from '../../../worker/contract/input/field-path.ts'
import { faultsOf, faultyFieldsWith, minimalBody } from '../../support/node/create-faults.ts'

describe('fieldPath', () => {
  it.each([
    [[], 'body'],
    [['fileUrl'], 'fileUrl'],
    [['elements', 2, 'position', 'anchor'], 'elements[2].position.anchor'],
    [['files', 0, 'removeSegments', 10, 'endTime'], 'files[0].removeSegments[10].endTime'],
    [[0, 'a'], '[0].a'],
    [['a.b'], 'a.b'],
  ])('writes %j as %s', (path, text) => {
    expect(fieldPath(path)).toBe(text)
  })

  it('shortens a key that a client made long', () => {
    expect(fieldPath(['k'.repeat(101)])).toBe(`${'k'.repeat(100)}…`)
    expect(fieldPath(['k'.repeat(100)])).toBe('k'.repeat(100))
  })
})

describe('listFaults', () => {
  it('calls a missing field required rather than of the wrong type', () => {
    const elements = [
      { type: 'image' },
      { type: 'image', url: 'https://example.com/a', effects: { fadeIn: {} } },
    ]
    expect(faultsOf({ ...minimalBody, elements, removeSegments: [{}] })).toEqual([
      {
        field: 'removeSegments[0].startTime',
        message: 'Required: a number of seconds such as 1.5, or a time such as "00:01:02.5"',
      },
      {
        field: 'removeSegments[0].endTime',
        message: 'Required: a number of seconds such as 1.5, or a time such as "00:01:02.5"',
      },
      {
        field: 'elements[0].url',
        message: 'Required: an address such as "https://example.com/logo.png"',
      },
      {
        field: 'elements[1].effects.fadeIn.duration',
        message: 'Required: a number of seconds such as 1.5, or a time such as "00:01:02.5"',
      },
    ])
  })

  it('says what a value of the wrong type must be, and the most likely reason', () => {
    expect(faultsOf({ ...minimalBody, removeSilence: 'true', outputFormat: null })).toEqual([
      { field: 'removeSilence', message: 'Must be true or false, without quotes' },
      {
        field: 'outputFormat',
        message: 'Must be mp4, mov, avi or webm, or left out; it must not be null',
      },
    ])
  })

  it('shows the smallest valid value for a value of another shape', () => {
    expect(faultsOf({ ...minimalBody, removeSegments: {}, elements: 'x' })).toEqual([
      {
        field: 'removeSegments',
        message: 'Must be a list such as [{"startTime": 1, "endTime": 2}]',
      },
      {
        field: 'elements',
        message:
          'Must be a list such as [{"type": "image", "url": "https://example.com/logo.png"}]',
      },
    ])
  })

  it('counts a misspelt field once, not also as an absent one', () => {
    expect(faultyFieldsWith({ removeSegments: [{ start: 0, end: 1 }] })).toEqual([
      'removeSegments[0].start',
      'removeSegments[0].end',
    ])
    expect(faultsOf({ file_url: 'https://example.com/a.mp4' })).toEqual([
      { field: 'file_url', message: 'Unknown field; did you mean fileUrl?' },
    ])
    expect(faultyFieldsWith({ elements: [{ tpye: 'image', url: 'x' }] })).toEqual([
      'elements[0].tpye',
    ])
  })

  it('still names an absent field if the misspelt one stands for another field', () => {
    expect(faultyFieldsWith({ removeSegments: [{ start: 0 }] })).toEqual([
      'removeSegments[0].start',
      'removeSegments[0].endTime',
    ])
  })

  it('names fields deep inside the right entry', () => {
    const image = { type: 'image', url: 'https://example.com/a.png' }
    const elements = [image, image, { ...image, position: { anchor: 'center', x: '1%' } }]
    expect(faultyFieldsWith({ elements })).toEqual(['elements[2].position.anchor'])
  })

  it('explains misplaced fields of every kind of element', () => {
    const url = 'https://example.com/a'
    const elements = [
      { type: 'audio', url, zIndex: 1, position: {}, size: {}, effects: { opacity: 1 } },
      { type: 'image', url, loop: true, effects: { volume: 1 } },
      { type: 'video', url, loop: true, effects: {}, volume: 1, zindex: 1 },
    ]
    expect(faultsOf({ ...minimalBody, elements })).toEqual([
      {
        field: 'elements[0].effects.opacity',
        message: 'opacity applies to image, gif, video and text elements only',
      },
      { field: 'elements[0].zIndex', message: 'zIndex does not apply to audio elements' },
      { field: 'elements[0].position', message: 'position does not apply to audio elements' },
      { field: 'elements[0].size', message: 'size does not apply to audio elements' },
      {
        field: 'elements[1].effects.volume',
        message: 'volume applies to audio and video elements only',
      },
      {
        field: 'elements[1].loop',
        message: 'loop applies to gif, video and audio elements only',
      },
      { field: 'elements[2].volume', message: 'Unknown field; did you mean effects.volume?' },
      { field: 'elements[2].zindex', message: 'Unknown field; did you mean zIndex?' },
    ])
  })

  it('lists no more than a hundred faults of a hostile body', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 0]))
    const elements = Array.from({ length: 50 }, () => ({ type: 'image', ...unknown }))
    expect(faultsOf({ ...minimalBody, ...unknown })).toHaveLength(100)
    expect(faultsOf({ ...minimalBody, elements })).toHaveLength(100)
  })

  it.each([null, undefined, [], 'text', 1, true])(
    'says of the body %j that it is no object',
    (body) => {
      const [fault] = faultsOf(body)
      expect(fault?.field).toBe('body')
    },
  )
})

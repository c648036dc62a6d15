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

describe('parseInput', () => {
  it('still names an absent field if the misspelt one stands for another field', () => {
    expect(faultyFieldsWith({ removeSegments: [{ start: 0 }] })).toEqual([
      'removeSegments[0].start',
      'removeSegments[0].endTime',
    ])
  })

  it('lists no more than a hundred faults of a hostile body', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 0]))
    const elements = Array.from({ length: 50 }, () => ({ type: 'image', ...unknown }))
    expect(faultsOf({ ...minimalBody, ...unknown })).toHaveLength(100)
    expect(faultsOf({ ...minimalBody, elements })).toHaveLength(100)
  })
})

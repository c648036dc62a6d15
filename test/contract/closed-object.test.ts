import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closedObject, explainUnknownField } from '../../worker/contract/closed-object.ts'
import { listFaults } from '../../worker/contract/faults.ts'

const known = ['removeSilence', 'removeNoise', 'removeSegments', 'files', 'combine', 'x', 'y']

describe('explainUnknownField', () => {
  it.each([
    ['removeSilnce', 'removeSilence'],
    ['removesilence', 'removeSilence'],
    ['REMOVESILENCE', 'removeSilence'],
    ['remove_silence', 'removeSilence'],
    ['removeSilences', 'removeSilence'],
    ['file', 'files'],
    ['combined', 'combine'],
    ['removeSegment', 'removeSegments'],
  ])('asks for %s whether %s was meant', (key, name) => {
    expect(explainUnknownField(key, known)).toBe(`Unknown field; did you mean ${name}?`)
  })

  it.each(['watermark', 'priority', 'somethingElse', '__proto__', 'constructor', '🎬🎬🎬🎬'])(
    'suggests nothing for %s',
    (key) => {
      expect(explainUnknownField(key, known)).toBe('Unknown field')
    },
  )

  it('suggests nothing where nothing is known', () => {
    expect(explainUnknownField('a', [])).toBe('Unknown field')
  })

  it('explains a misplaced field before guessing', () => {
    const misplaced = { file: 'file belongs to uploads' }
    expect(explainUnknownField('file', known, misplaced)).toBe('file belongs to uploads')
  })

  it('does not take what every object inherits for an explanation', () => {
    expect(explainUnknownField('toString', known, {})).toBe('Unknown field')
  })
})

describe('closedObject', () => {
  const schema = closedObject({ anchor: z.string().optional() }, { volume: 'volume is for audio' })

  it('accepts what it knows', () => {
    expect(schema.safeParse({ anchor: 'center' }).success).toBe(true)
    expect(schema.safeParse({}).success).toBe(true)
  })

  it('explains each of several unknown fields', () => {
    const { error } = schema.safeParse({ ancor: 1, volume: 2, other: 3, anchor: 4, 'a\nb': 5 })
    expect(error && listFaults(error)).toEqual([
      { field: 'anchor', message: 'Invalid input: expected string, received number' },
      { field: 'ancor', message: 'Unknown field; did you mean anchor?' },
      { field: 'volume', message: 'volume is for audio' },
      { field: 'other', message: 'Unknown field' },
      { field: 'a\nb', message: 'Unknown field' },
    ])
  })

  it('refuses __proto__ as any other unknown field', () => {
    const { error } = schema.safeParse(JSON.parse('{"__proto__":{"anchor":"center"}}'))
    expect(error && listFaults(error)).toEqual([{ field: '__proto__', message: 'Unknown field' }])
  })

  it.each([null, [], 'text', 1])('refuses %j', (value) => {
    const { error } = schema.safeParse(value)
    expect(error && listFaults(error).map((fault) => fault.field)).toEqual(['body'])
  })
})

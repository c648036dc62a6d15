import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closedObject, explainUnknownField } from '../../../worker/contract/input/closed-object.ts'
import { parseInput } from '../../../worker/contract/input/parse-input.ts'

const any = z.unknown()

function objectWith(names: readonly string[], elsewhere: Record<string, string> = {}) {
  return closedObject(Object.fromEntries(names.map((name) => [name, any])), elsewhere)
}

function faultsOf(schema: z.ZodType, input: unknown) {
  const parsed = parseInput(schema, input)
  return parsed.ok ? [] : parsed.faults
}

describe('explainUnknownField', () => {
  const known = objectWith(['removeSilence', 'files', 'combine', 'x', 'y'])

  it.each(['priority', 'somethingElse', '__proto__', 'constructor', 'toString', '🎬🎬🎬🎬', ''])(
    'suggests nothing for %j',
    (key) => {
      expect(explainUnknownField(key, known)).toEqual({ message: 'Unknown field' })
    },
  )

  it('suggests nothing where nothing is known', () => {
    expect(explainUnknownField('a', closedObject({}))).toEqual({ message: 'Unknown field' })
  })

  it('explains a misplaced field before guessing', () => {
    const schema = objectWith(['files'], { file: 'file belongs to uploads' })
    expect(explainUnknownField('file', schema).message).toBe('file belongs to uploads')
  })

  it('knows a misplaced field however it is written, and with a typo only if it is long', () => {
    const schema = objectWith(['files'], { frameRate: 'it stays', text: 'it is an element' })
    expect(explainUnknownField('frame_rate', schema).message).toBe('it stays')
    expect(explainUnknownField('framrate', schema).message).toBe('it stays')
    expect(explainUnknownField('test', schema).message).toBe('Unknown field')
  })

  it('finds a field that belongs one level deeper', () => {
    const effects = closedObject({ fadeIn: any }, { volume: 'volume is for audio' })
    const schema = closedObject({ url: any, effects: effects.optional() })
    expect(explainUnknownField('fade_in', schema).message).toBe(
      'Unknown field; did you mean effects.fadeIn?',
    )
    expect(explainUnknownField('volume', schema).message).toBe('volume is for audio')
  })
})

describe('closedObject', () => {
  const schema = closedObject({ anchor: z.string().optional() }, { volume: 'volume is for audio' })

  it('explains each of several unknown fields', () => {
    const input = { ancor: 1, volume: 2, other: 3, anchor: 4, 'a\nb': 5 }
    expect(faultsOf(schema, input)).toEqual([
      { field: 'ancor', message: 'Unknown field; did you mean anchor? It must be text' },
      { field: 'volume', message: 'volume is for audio' },
      { field: 'other', message: 'Unknown field' },
      { field: 'a\ufffdb', message: 'Unknown field' },
      { field: 'anchor', message: 'Must be text' },
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonBody } from '../../../worker/contract/input/read-json.ts'
import { seeded } from '../../support/node/seeded.ts'

function messageOf(text: string): string | undefined {
  const parsed = parseJsonBody(text)
  if (parsed.ok) return undefined
  expect(parsed.fault.field).toBe('body')
  return parsed.fault.message
}

function jsonParses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('parseJsonBody', () => {
  it.each([
    ...['{}', '[]', '0', '-0', '1.5e-3', '"a"', 'true', 'null', ' \r\n\t{ "a" : [ 1 , { } ] } \n'],
    ...['[[],{},[[]]]', '{"":1}', '"\\ud800"', '"\u2028"', '1e309', '{"a":{"a":1},"b":{"a":1}}'],
    ...['[{"a":1},{"a":1}]', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9"', '{"a":"a"}', '"\u007f"'],
  ])('reads %j as JSON.parse does', (text) => {
    expect(parseJsonBody(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
  })

  it('names a byte order mark', () => {
    expect(messageOf('\uFEFF{}')).toBe('Must not begin with a byte order mark')
    expect(messageOf('\uFEFF')).toBe('Must not begin with a byte order mark')
  })

  it.each(['', ' ', '\r\n\t'])('names the empty body %j', (text) => {
    expect(messageOf(text)).toBe('Must not be empty')
  })

  it.each([
    ['{', 'a key in double quotes at line 1, column 2, where it ends'],
    ['{"a"', '":" at line 1, column 5, where it ends'],
    ['{"a":', 'a value at line 1, column 6, where it ends'],
    ['{"a":1', '"," or "}" at line 1, column 7, where it ends'],
    ['[1', '"," or "]" at line 1, column 3, where it ends'],
    ['"abc', 'a closing double quote at line 1, column 5, where it ends'],
    ['{\n  "a": 1,\n  b: 2\n}', 'a key in double quotes at line 3, column 3'],
    ['{\r\n"a": 1,\r\n}', 'a key in double quotes at line 3, column 1'],
    ['[1,]', 'a value at line 1, column 4'],
    ['[1,\r\r]', 'a value at line 3, column 1'],
    ['"a\u001fb"', 'an escape such as \\n for a control character at line 1, column 3'],
    ['[1 2]', '"," or "]" at line 1, column 4'],
    ['{"a" 1}', '":" at line 1, column 6'],
    ["{'a': 1}", 'a key in double quotes at line 1, column 2'],
    ['{} {}', 'nothing more at line 1, column 4'],
    ['nul', 'a value at line 1, column 1'],
    ['NaN', 'a value at line 1, column 1'],
    ['[Infinity]', 'a value at line 1, column 2'],
    ['01', 'nothing more at line 1, column 2'],
    ['[1.]', '"," or "]" at line 1, column 3'],
    ['+1', 'a value at line 1, column 1'],
    ['"a\nb"', 'an escape such as \\n for a control character at line 1, column 3'],
    ['"\\x41"', 'a known escape such as \\n or \\u00e9 at line 1, column 2'],
    ['"\\u12"', 'a known escape such as \\n or \\u00e9 at line 1, column 2'],
    ['{"a":1}\u00a0', 'nothing more at line 1, column 8'],
    ['{/* c */}', 'a key in double quotes at line 1, column 2'],
    [']', 'a value at line 1, column 1'],
    ['[}', 'a value at line 1, column 2'],
    ['<html>', 'a value at line 1, column 1'],
  ])('says what %j lacks, and where', (text, expected) => {
    expect(messageOf(text)).toBe(`Is not valid JSON: expected ${expected}`)
  })

  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\u0061":1,"a":2}', 'a'],
    ['{"é":1,"\\u00E9":2}', 'é'],
    ['{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}', 'a.b[1].c'],
    ['[[],{"a":1,"a":2}]', '[1].a'],
    ['{"elements":[{},{"position":{"x":"1%","x":"2%"}}]}', 'elements[1].position.x'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"toString":1,"toString":2}', 'toString'],
    ['{"\\ud83c\\udfac":1,"🎬":2}', '🎬'],
  ])('names the key that %s gives twice', (text, path) => {
    expect(messageOf(text)).toBe(`Must not give ${path} twice`)
  })

  it('shortens the path of a long key', () => {
    const key = JSON.stringify('k'.repeat(100_000))
    expect(messageOf(`{${key}:1,${key}:2}`)).toBe(`Must not give ${'k'.repeat(100)}… twice`)
  })

  it('accepts keys of Object.prototype once', () => {
    const parsed = parseJsonBody('{"constructor":1,"toString":2,"hasOwnProperty":3}')
    expect(parsed.ok).toBe(true)
  })

  it('keeps __proto__ as a plain property and pollutes nothing', () => {
    const parsed = parseJsonBody('{"__proto__":{"polluted":true}}')
    const value = parsed.ok ? (parsed.value as object) : {}
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })

  it('accepts 32 levels and refuses 33', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
    expect(messageOf(nested(32))).toBeUndefined()
    expect(messageOf(nested(33))).toBe('Must not be nested deeper than 32 levels')
    expect(messageOf(objects(32))).toBeUndefined()
    expect(messageOf(objects(33))).toBe('Must not be nested deeper than 32 levels')
  })

  it.each(['[', '{"a":', '[[],', '{"a":[', '[{"a":1},'])(
    'stops early in %s 100,000 times',
    (part) => {
      expect(messageOf(part.repeat(100_000))).toBe('Must not be nested deeper than 32 levels')
    },
  )

  it.each([
    ['a long text', JSON.stringify('x'.repeat(1_000_000))],
    ['a long text of escapes', `"${'\\u0041'.repeat(170_000)}"`],
    ['a long number', '1'.repeat(1_000_000)],
    ['a long fraction', `0.${'1'.repeat(1_000_000)}e1`],
    ['many numbers', `[${`${'1'.repeat(20)},`.repeat(49_000)}0]`],
    ['many empty objects', `[${`{}${' '.repeat(17)},`.repeat(49_000)}{}]`],
    ['many keys', `{${Array.from({ length: 49_000 }, (_, i) => `"key number ${i}":0`).join()}}`],
    ['much white space', `${' \n'.repeat(500_000)}0`],
  ])('reads a megabyte of %s', (_, text) => {
    const startedAt = performance.now()
    expect(messageOf(text)).toBeUndefined()
    // A quadratic scan would take minutes; this is not a measurement.
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  it.each([
    ['an open text', `"${'x'.repeat(1_000_000)}`],
    ['blank lines', '\n'.repeat(999_999) + 'x'],
    ['a missing end', `[${`${'1'.repeat(20)},`.repeat(49_000)}`],
  ])('refuses a megabyte of %s', (_, text) => {
    expect(messageOf(text)).toMatch(/^Is not valid JSON/)
  })

  it('agrees with JSON.parse about every value', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 8, stringUnit: 'binary' }),
        fc.constantFrom(0, 2),
        (json, indent) => {
          const text = JSON.stringify(JSON.parse(json), null, indent)
          expect(parseJsonBody(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
        },
      ),
      seeded(),
    )
  })

  it('agrees with JSON.parse about what is not JSON', () => {
    const tokens = ['{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-', '0', '.', 'e', ' ', '\n']
    const rarer = ['null', 'true', '"', '\\', '\\u0061', '\u0000', '\u00a0', "'", 'é', '/']
    const text = fc.array(fc.constantFrom(...tokens, ...tokens, ...rarer), { maxLength: 14 })
    fc.assert(
      fc.property(text, (parts) => {
        const joined = parts.join('')
        const message = messageOf(joined)
        if (message?.includes('twice')) return
        expect(message === undefined).toBe(jsonParses(joined))
      }),
      seeded(20_000),
    )
  })

  it('agrees with JSON.parse about one changed character', () => {
    const changed = fc.tuple(fc.json(), fc.nat(), fc.string({ unit: 'binary', maxLength: 1 }))
    fc.assert(
      fc.property(changed, ([json, position, character]) => {
        const at = position % json.length
        const text = json.slice(0, at) + character + json.slice(at + 1)
        const message = messageOf(text)
        if (message?.match(/twice|byte order mark/)) return
        expect(message === undefined).toBe(jsonParses(text))
      }),
      seeded(5000),
    )
  })
})

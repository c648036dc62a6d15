import { describe, expect, it } from 'vitest'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import { invalidRequest } from '../../../worker/contract/answers/errors.ts'
import { limits } from '../../../worker/contract/limits.ts'
import { parseJsonBody } from '../../../worker/contract/input/read-json.ts'

/** As many entries as fit into a body. */
function megabyte(open: string, entry: (i: number) => string, close: string): string {
  const entries: string[] = []
  let length = open.length + close.length
  for (let i = 0; length < limits.jsonBodyBytes - 700; i++) {
    const next = entry(i)
    entries.push(next)
    length += next.length + 1
  }
  return Buffer.from(open + entries.join() + close).toString()
}

const hostile: [string, string][] = [
  ['unknown keys', megabyte('{', (i) => `"k${i.toString(36)}":0`, '}')],
  ['names that are nearly known', megabyte('{', (i) => `"fileUr${i.toString(36)}":0`, '}')],
  ['long unknown keys', megabyte('{', (i) => `"${'x'.repeat(90)}${i}":0`, '}')],
  ['keys of half characters', megabyte('{', (i) => `"${'\\ud800'.repeat(100)}${i}":0`, '}')],
  ['keys of controls', megabyte('{', (i) => `"${'\\u0001'.repeat(100)}${i}":0`, '}')],
  ['elements without fields', megabyte('{"elements":[', () => '{"a":1}', ']}')],
  [
    'an element with unknown keys',
    megabyte('{"elements":[{', (i) => `"${i.toString(36)}":0`, '}]}'),
  ],
  ['segments of nothing', megabyte('{"removeSegments":[', () => '0', ']}')],
]

function refuse(text: string) {
  const parsed = parseJsonBody(text)
  if (!parsed.ok) return invalidRequest([parsed.fault])
  const read = parseCreateVideo(parsed.value)
  return read.ok ? undefined : invalidRequest(read.faults)
}

describe('a megabyte of nonsense', () => {
  it.each(hostile)('of %s is refused quickly and briefly', (_, text) => {
    const costs = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      expect(refuse(text)?.status).toBe(400)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    })
    const refusal = refuse(text)
    expect(Buffer.byteLength(JSON.stringify(refusal?.details))).toBeLessThan(50_000)
    // The machine may be busy, so the best of several times counts.
    expect(Math.min(...costs)).toBeLessThan(400)
  })
})

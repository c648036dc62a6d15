import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withEscapes, withoutEscapes } from '../../../../containers/cuts/bits/coded-bits.ts'
import { mergeHevcConfigs, parseHevcConfig } from '../../../../containers/cuts/hevc/hevc-config.ts'
import { parameterSetId, renumberHevc } from '../../../../containers/cuts/hevc/renumber-hevc.ts'

const unit = (kind: number, ...bytes: number[]): Buffer => Buffer.from([kind << 1, 1, ...bytes])
/** One temporal layer, twelve bytes about profile and level, then the number 0 and other things. */
const sequence = unit(33, 0x01, ...Array.from({ length: 12 }, (_, i) => i + 1), 0b1010_0000)

describe('renumberHevc', () => {
  it('gives parameter sets the number 15', () => {
    const sets = [unit(32, 0x0c, 1), sequence, unit(34, 0b1100_0001)]
    expect(sets.map(parameterSetId)).toEqual([0, 0, 0])
    expect(sets.map(renumberHevc).map(parameterSetId)).toEqual([15, 15, 15])
  })

  it('names the number in slices, and leaves all other bits as they are', () => {
    const trailing = renumberHevc(unit(1, 0b1101_0011, 200))
    expect([...trailing]).toEqual([2, 1, 0b1000_0100, 0b0001_0011, 200])
    const entry = renumberHevc(unit(19, 0b1011_0011, 200))
    expect([...entry]).toEqual([38, 1, 0b1000_0010, 0b0001_0011, 200])
  })

  it('refuses a slice with another number', () => {
    expect(() => renumberHevc(unit(1, 0b1010_0000))).toThrow('other parameter sets')
  })
})

it('withEscapes keeps the start of a unit from being found within it, and can be taken back', () => {
  const bytes = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 255), { maxLength: 40 })
  fc.assert(
    fc.property(bytes, (some) => {
      const escaped = withEscapes(Buffer.from(some))
      expect(escaped.toString('latin1')).not.toMatch(/\0\0[\0-\x02]/)
      expect([...withoutEscapes(escaped)]).toEqual(some)
    }),
  )
})

describe('mergeHevcConfigs', () => {
  const config = (level: number, ...lists: [number, Buffer[]][]) => ({
    head: Buffer.from([
      1,
      ...new Array<number>(11).fill(0),
      level,
      ...new Array<number>(9).fill(0),
    ]),
    lists: lists.map(([kind, units]) => ({ header: kind, units })),
  })

  it('puts the sets of both into one record, with the higher level', () => {
    const [a, b, c] = [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')]
    const merged = mergeHevcConfigs(config(93, [0xa1, [a]]), config(120, [0x21, [b]], [0x22, [c]]))
    expect(parseHevcConfig(merged)).toEqual(config(120, [0xa1, [a, b]], [0x22, [c]]))
  })

  it('does not read beyond a damaged record', () => {
    const merged = mergeHevcConfigs(config(93, [0xa1, [Buffer.from('abc')]]), config(93))
    expect(parseHevcConfig(merged.subarray(0, -1))).toBeUndefined()
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BitReader } from '../../../../containers/cuts/bits/bit-reader.ts'
import {
  bitsOf,
  bytesOfBits,
  ueCode,
  replaceBits,
} from '../../../../containers/cuts/bits/coded-bits.ts'

it('replaceBits puts any bits in the place of others, and moves what follows', () => {
  const bits = (size: { minLength?: number; maxLength: number }) =>
    fc.array(fc.constantFrom('0', '1'), size).map((some) => some.join(''))
  const parts = fc.tuple(bits({ maxLength: 30 }), bits({ maxLength: 30 }), bits({ maxLength: 80 }))
  fc.assert(
    fc.property(parts, bits({ maxLength: 40 }), ([before, old, after], other) => {
      const unit = (text: string): Buffer =>
        bytesOfBits(`${text}1`.padEnd(Math.ceil((text.length + 1) / 8) * 8, '0'))
      const span = { from: before.length, to: before.length + old.length }
      const found = replaceBits(unit(before + old + after), span, other)
      expect(bitsOf(found)).toBe(bitsOf(unit(before + other + after)))
    }),
  )
})

it('BitReader reads the numbers that codeOf writes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70_000), { maxLength: 20 }), (numbers) => {
      const text = numbers.map(ueCode).join('')
      const reader = new BitReader(bytesOfBits(text.padEnd(Math.ceil(text.length / 8) * 8, '0')))
      expect(numbers.map(() => reader.ue())).toEqual(numbers)
    }),
  )
})

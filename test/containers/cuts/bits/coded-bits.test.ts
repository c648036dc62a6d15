import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BitReader } from '../../../../containers/cuts/bits/bit-reader.ts'
import { BitWriter } from '../../../../containers/cuts/bits/bit-writer.ts'
import { replaceBits } from '../../../../containers/cuts/bits/coded-bits.ts'

/** Bytes of a text of zeros and ones, filled up with zeros. */
const bytesOf = (text: string): Buffer =>
  Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))

const texts = (maxLength: number) =>
  fc.array(fc.constantFrom('0', '1'), { maxLength }).map((some) => some.join(''))

it('replaceBits puts any bits in the place of others, and moves what follows', () => {
  const parts = fc.tuple(texts(30), texts(30), texts(80))
  fc.assert(
    fc.property(parts, texts(40), ([before, old, after], other) => {
      const span = { from: before.length, to: before.length + old.length }
      const found = replaceBits(bytesOf(`${before}${old}${after}1`), span, (writer) => {
        writer.copy(bytesOf(other), { from: 0, to: other.length })
      })
      expect(found.toString('hex')).toBe(bytesOf(`${before}${other}${after}1`).toString('hex'))
    }),
  )
})

it('BitReader reads the numbers that BitWriter writes, wherever they begin', () => {
  const some = fc.array(fc.nat(70_000), { maxLength: 20 })
  fc.assert(
    fc.property(some, fc.nat(20), (numbers, from) => {
      const writer = new BitWriter(200)
      writer.u(0, from)
      for (const number of numbers) writer.ue(number)
      const reader = new BitReader(writer.bytes(), from)
      expect(numbers.map(() => reader.ue())).toEqual(numbers)
      expect(reader.at).toBe(writer.at)
    }),
  )
})

it('BitWriter writes the lower bits of a number, and Exp-Golomb codes as H.264 has them', () => {
  const writer = new BitWriter(4)
  writer.u(0b1_0110, 4)
  for (const number of [0, 1, 2, 7]) writer.ue(number)
  expect(writer.bytes().toString('hex')).toBe(
    bytesOf('0110' + '1' + '010' + '011' + '0001000').toString('hex'),
  )
})

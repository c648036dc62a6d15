import { expect, it } from 'vitest'
import { hex } from '../../worker/contract/keyed-hash.ts'

it('hex writes two digits for every byte', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(hex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
  expect(hex(new Uint8Array())).toBe('')
})

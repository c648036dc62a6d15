import { describe, expect, it } from 'vitest'
import {
  choosePartBytes,
  countParts,
  largestUploadBytes,
  partLength,
} from '../../../worker/upload/part-sizes.ts'

const mebibyte = 1024 * 1024

describe('the parts of an upload', () => {
  it('have 8 MiB, or more if there would be too many', () => {
    expect(choosePartBytes(1)).toBe(8 * mebibyte)
    expect(choosePartBytes(8000 * mebibyte)).toBe(8 * mebibyte)
    expect(choosePartBytes(8000 * mebibyte + 1)).toBe(9 * mebibyte)
  })

  it('stay below the limits of a proxied zone and of R2', () => {
    const partBytes = choosePartBytes(largestUploadBytes)
    expect(partBytes).toBeLessThan(90_000_000)
    expect(countParts({ sizeBytes: largestUploadBytes, partBytes })).toBe(10_000)
  })

  it.each([1, 7, 8, 9, 16, 17].map((size) => [size]))(
    'make up a file of %i bytes exactly, all equal but the last',
    (sizeBytes) => {
      const cut = { sizeBytes, partBytes: 8 }
      const count = countParts(cut)
      const lengths = Array.from({ length: count }, (_, i) => partLength(cut, i + 1) ?? 0)
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(sizeBytes)
      expect(lengths.slice(0, -1).every((length) => length === 8)).toBe(true)
      expect([0, count + 1].map((number) => partLength(cut, number))).toEqual([
        undefined,
        undefined,
      ])
    },
  )
})

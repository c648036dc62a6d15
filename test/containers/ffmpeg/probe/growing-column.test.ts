import { expect, it } from 'vitest'
import { GrowingColumn } from '../../../../containers/ffmpeg/probe/growing-column.ts'

it('keeps every number that was pushed, in an array of that length', () => {
  const column = new GrowingColumn((memory) => new Float64Array(memory))
  const numbers = Array.from({ length: 10_000 }, (_, i) => i / 3)
  for (const number of numbers) column.push(number)
  expect(column.length).toBe(10_000)
  const finished = column.finish()
  expect([...finished]).toEqual(numbers)
  expect(finished.buffer.byteLength).toBe(80_000)
})

it('gives an empty array if nothing was pushed', () => {
  expect(new GrowingColumn((memory) => new Uint8Array(memory)).finish()).toHaveLength(0)
})

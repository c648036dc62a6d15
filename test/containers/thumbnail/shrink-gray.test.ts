import { expect, it } from 'vitest'
import { shrinkGray } from '../../../containers/thumbnail/read-pictures.ts'

it('gives each pixel the mean of those it replaces, even if the sides do not divide evenly', () => {
  const pixels = Uint8Array.from([0, 100, 10, 20, 200, 30, 60, 60, 90])
  expect(shrinkGray({ width: 3, height: 3, pixels }, 2)).toEqual({
    width: 2,
    height: 2,
    pixels: Uint8Array.from([0, 55, 40, 95]),
  })
})

it('leaves a small picture as it is', () => {
  const pixels = Uint8Array.from([1, 2, 3, 4])
  expect(shrinkGray({ width: 4, height: 1, pixels }, 480)).toEqual({ width: 4, height: 1, pixels })
})

import { expect, it } from 'vitest'
import { changedPlaces } from '../../../../containers/insight/faces/watch-faces.ts'

const size = { width: 100, height: 70 }
type Where = (x: number, y: number) => boolean

function pictureOf(isBright: Where) {
  const pixels = new Uint8Array(size.width * size.height * 3)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      if (isBright(x, y)) pixels.fill(200, (y * size.width + x) * 3, (y * size.width + x + 1) * 3)
    }
  }
  return { ...size, pixels }
}

const changed = (isBright: Where) =>
  changedPlaces(
    pictureOf(() => false),
    pictureOf(isBright),
  )

it('finds what changes up to the last row and column, whatever size the picture has', () => {
  const [column, ...otherColumns] = changed((x) => x >= 96)
  expect(column?.right).toBe(1)
  expect(otherColumns.every(({ right }) => right === 1)).toBe(true)
  const [row] = changed((x, y) => y >= 64 && x < 32)
  expect(row?.bottom).toBe(1)
})

it('finds nothing where all of the picture changes, or nothing does', () => {
  expect(changed(() => true)).toEqual([])
  expect(changed(() => false)).toEqual([])
})

import { expect, it } from 'vitest'
import {
  besideEach,
  type RemadePlace,
} from '../../../../../containers/job/check/shown/planned-pictures.ts'

const grid = { width: 16, height: 9 }
const cells = grid.width * grid.height

/** A picture of which one cell is lighter. */
function picture(grey: number, color: number): Buffer {
  return Buffer.alloc(3 * cells, color)
    .fill(100, 0, cells)
    .fill(grey, 0, 1)
}

it('pairs pictures that differ in nothing but their colours with those of their own moment', () => {
  const colors = [90, 150, 110, 170, 130, 190]
  const planned = colors.map((color, i) => picture(101 + i, color))
  // An encoder changes what it stores: here each is a little more as bright as the next one.
  const film = colors.map((color, i) => picture(102 + i, color + 1))
  const times = Float64Array.from(colors.keys(), (place) => place / 25)
  const place = { at: 0, seconds: colors.length / 25, grid }
  const whole = { place, of: 0, from: 0, to: colors.length, times } as unknown as RemadePlace
  const made = { pictures: [planned], isDamaged: false }
  const [first] = besideEach([whole], made, [Buffer.concat(film)])
  expect(first?.film).toHaveLength(colors.length)
  expect(first?.planned).toEqual(planned)
})

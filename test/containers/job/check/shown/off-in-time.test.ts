import { expect, it } from 'vitest'
import { offInTime } from '../../../../../containers/job/check/shown/off-in-time.ts'
import type { Comparison } from '../../../../../containers/job/check/shown/planned-pictures.ts'

const grid = { width: 16, height: 16 }
const cells = grid.width * grid.height

/** A grey picture, of which the first cells have another brightness. */
function picture(grey: number, own = grey): Buffer {
  const bytes = Buffer.alloc(3 * cells, 128).fill(grey, 0, cells)
  return bytes.fill(own, 0, 16)
}

function place(at: number, film: readonly Buffer[], planned: readonly Buffer[]): Comparison {
  return { at, seconds: 0.25, grid, film, planned, isAligned: true, isDamaged: false } as Comparison
}

const moving = [60, 80, 100, 120, 140, 160].map((grey) => picture(grey))
const others = [1, 2, 3].map((at) => place(at, moving, moving))

it('takes no film that fades from black to a black that is a level darker for one that stands still', () => {
  const darker = [16, 16, 16, 15, 15, 15].map((grey) => picture(grey))
  const black = darker.map(() => picture(16))
  expect(offInTime([place(0, black, darker), ...others])).toBeUndefined()
})

it('finds that a film stands still where a small part of it has to move', () => {
  const small = [16, 30, 44, 58, 72, 86].map((own) => picture(16, own))
  const still = small.map(() => picture(16, 50))
  expect(offInTime([place(0, still, small), ...others])?.what).toBe(
    'It stands still where it has to move',
  )
})

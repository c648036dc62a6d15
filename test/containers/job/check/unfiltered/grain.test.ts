import { expect, it } from 'vitest'
import { hasMoreGrain } from '../../../../../containers/job/check/unfiltered/grain.ts'

const size = { width: 320, height: 180 }

/** Flat on its left half, with details on its right one. `grain`: how far a pixel may be off. */
function picture(grain: number, details = 60) {
  const bytes = Buffer.alloc(size.width * size.height)
  let random = 7
  for (let i = 0; i < bytes.length; i++) {
    random = (random * 1_103_515_245 + 12_345) & 0x7fffffff
    const x = i % size.width
    const detail = x < size.width / 2 || x % 2 ? 0 : details
    bytes[i] = 100 + detail + Math.round(((random >> 16) / 32_767 - 0.5) * 2 * grain)
  }
  return { ...size, bytes }
}

const same = (x: number, y: number) => [x, y] as const
const rightHalf = (x: number, y: number) => [0.5 + x / 2, y] as const

it.each([
  ['more grain than its source', picture(14), picture(1), same, true],
  ['the grain of its source', picture(14), picture(14), same, false],
  ['less grain than its source', picture(1), picture(14), same, false],
  ['more details on a half of it', picture(1, 90), picture(1, 60), same, false],
  ['only the half of its source with details', detailsAlone(), picture(1), rightHalf, false],
])('tells whether a picture has %s', (_what, film, source, placeIn, expected) => {
  expect(hasMoreGrain(film, source, placeIn)).toBe(expected)
})

function detailsAlone() {
  const { bytes } = picture(1)
  for (let i = 0; i < bytes.length; i++) bytes[i] = 100 + (i % 2 ? 0 : 60)
  return { ...size, bytes }
}

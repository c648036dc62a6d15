import { describe, expect, it } from 'vitest'
import { chooseFrames } from '../../../../containers/insight/frames/choose-frames.ts'
import { lookOfPicture } from '../../../../containers/insight/frames/look-of-picture.ts'

const side = 24
/** A ramp of light added to a colour, so that it is not blank. */
function look(red: number, green: number, blue: number, ramp = 40) {
  const pixels = Uint8Array.from({ length: side * side * 3 }, (_, i) => {
    const x = Math.floor(i / 3) % side
    return Math.min(255, ([red, green, blue][i % 3] ?? 0) + (ramp * x) / side)
  })
  return lookOfPicture({ width: side, height: side, pixels })
}
const red = look(200, 20, 20)
const green = look(20, 200, 20)
const black = look(0, 0, 0, 0)

describe('chooseFrames', () => {
  it('takes one picture of every shot before a second one of any', () => {
    const looks = [red, red, red, red, red, red, green]
    expect(chooseFrames(looks, 2)).toEqual([3, 6])
    expect(chooseFrames(looks, 3)).toEqual([1, 4, 6])
  })

  it('takes long shots if there are too many', () => {
    expect(chooseFrames([green, red, red, green], 1)).toEqual([2])
  })

  it('leaves out blank pictures, unless there are no others', () => {
    expect(chooseFrames([black, black, red, black], 4)).toEqual([2])
    expect(chooseFrames([black, black, black], 4)).toEqual([1])
    expect(chooseFrames([], 4)).toEqual([])
  })
})

it('lookOfPicture measures light and hue', () => {
  expect(red.hues.red).toBeGreaterThan(0.95)
  expect(green.hues.green).toBeGreaterThan(0.95)
  expect(black.light).toBe(0)
  expect(Object.values(black.hues).every((share) => share === 0)).toBe(true)
})

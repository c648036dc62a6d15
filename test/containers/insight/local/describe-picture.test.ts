import { expect, it } from 'vitest'
import { lookOfPicture } from '../../../../containers/insight/frames/look-of-picture.ts'
import { describePicture } from '../../../../containers/insight/local/describe-picture.ts'

const plain = (level: number) =>
  lookOfPicture({ width: 32, height: 32, pixels: new Uint8Array(32 * 32 * 3).fill(level) })
const changeOf = (levels: number[]) => describePicture(levels.map(plain)).change

it('describePicture distinguishes a still picture, a slow change, cuts and a restless picture', () => {
  expect(changeOf([90, 90, 90, 90])).toBe('hardly')
  expect(changeOf([90, 92, 94, 96])).toBe('little')
  expect(changeOf([10, 10, 10, 120, 120, 250, 250])).toBe('at cuts')
  expect(changeOf([90, 110, 90, 110])).toBe('much')
  expect(changeOf([90])).toBeUndefined()
})

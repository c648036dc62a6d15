import { describe, expect, it } from 'vitest'
import { majorVersion } from '../../../scripts/machine/ensure-ffmpeg.ts'

describe('majorVersion', () => {
  it.each([
    ['5.1.6-0+deb12u1', 5],
    ['n7.1', 7],
    ['N-109542-gd5544f6457', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, major) => {
    expect(majorVersion(text)).toBe(major)
  })
})

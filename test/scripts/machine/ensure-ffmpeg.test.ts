import { describe, expect, it } from 'vitest'
import { majorVersion } from '../../../scripts/machine/ensure-ffmpeg.ts'

describe('majorVersion', () => {
  it.each([
    ['ffmpeg version 5.1.6-0+deb12u1 Copyright', 5],
    ['ffmpeg version n7.1 Copyright', 7],
    ['ffmpeg version N-109542-gd5544f6457 Copyright', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, major) => {
    expect(majorVersion(text)).toBe(major)
  })
})

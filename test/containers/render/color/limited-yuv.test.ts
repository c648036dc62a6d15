import { describe, expect, it } from 'vitest'
import { limitedYuv } from '../../../../containers/render/color/limited-yuv.ts'

describe('limitedYuv', () => {
  it('writes a colour as its matrix has it', () => {
    expect(limitedYuv('#000000', 'bt709')).toEqual({ y: 16, u: 128, v: 128 })
    expect(limitedYuv('#FFFFFF', 'bt601')).toEqual({ y: 235, u: 128, v: 128 })
    expect(limitedYuv('#ff0000', 'bt601')).toEqual({ y: 82, u: 90, v: 240 })
    expect(limitedYuv('#ff0000', 'bt709')).toEqual({ y: 63, u: 102, v: 240 })
    expect(limitedYuv('#ff0000', 'bt2020')).toEqual({ y: 74, u: 96, v: 240 })
  })

  it('stays near for decoders that round down, as ffmpeg by default, and for exact ones', () => {
    // One luma step lower is as exact, and three steps off in green for everybody else.
    expect(limitedYuv('#123456', 'bt709')).toEqual({ y: 57, u: 146, v: 112 })
  })
})

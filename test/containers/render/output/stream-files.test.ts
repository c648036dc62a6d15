import { describe, expect, it } from 'vitest'
import { ladderOf } from '../../../../containers/render/output/ladder.ts'
import { encoderFor } from '../../../../containers/render/output/stream-files.ts'

const of4k = (heights: number[]) => ladderOf({ width: 3840, height: 2160 }, heights).rungs

describe('encoderFor', () => {
  it('has all threads and the usual lookahead for 4K with the sizes that usually lie below it', () => {
    const usual = of4k([2160, 1440, 1080, 720, 480, 360])
    expect(encoderFor(usual, 8)).toEqual(['-threads', '8'])
  })

  it('looks less far ahead where several sizes are near 4K', () => {
    const large = encoderFor(of4k([2160, 1960, 1780]), 8)
    expect(large.join(' ')).toContain('rc-lookahead=5')
    expect(large.slice(-2)).toEqual(['-threads', '2'])
  })
})

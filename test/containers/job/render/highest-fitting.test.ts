import { describe, expect, it } from 'vitest'
import { highestFitting } from '../../../../containers/job/render/render-output.ts'

/** Sizes as encoders produce them: each step adds about the same share. */
const sizes = (quality: number): number => Math.round(4_000 * 1.035 ** quality)

async function fit(asked: number, mostBytes: number, bytes = sizes) {
  const tried: number[] = []
  const request = { asked, askedBytes: bytes(asked), mostBytes, tries: 5 }
  const quality = await highestFitting(request, async (one) => {
    tried.push(one)
    return bytes(one)
  })
  return { quality, tried }
}

describe('highestFitting', () => {
  it('finds the highest quality that fits, whichever higher one was asked for', async () => {
    for (const asked of [99, 80, 60]) {
      const { quality, tried } = await fit(asked, sizes(50) + 1)
      expect(quality).toBe(50)
      expect(tried.length).toBeLessThanOrEqual(5)
    }
  })

  it('stays below the limit when sizes jump', async () => {
    const jumping = (quality: number): number => (quality < 37 ? 5_000 : 50_000 + quality)
    const { quality = 0, tried } = await fit(80, 40_000, jumping)
    expect(jumping(quality)).toBeLessThanOrEqual(40_000)
    expect(tried).toHaveLength(5)
  })

  it('gives up at once if not even the lowest fits', async () => {
    expect(await fit(80, 1_000)).toEqual({ quality: undefined, tried: [1] })
    expect(await fit(1, 1_000)).toEqual({ quality: undefined, tried: [] })
  })
})

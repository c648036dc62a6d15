import { describe, expect, it } from 'vitest'
import { byQuality } from '../../../../containers/job/render/as-planned.ts'
import {
  follow,
  type OpenedFilm,
  type Outcome,
} from '../../../../containers/job/render/render-try.ts'

/** Sizes as encoders produce them: each step adds about the same share. */
const sizes = (quality: number): number => Math.round(4_000 * 1.035 ** quality)

async function fit(asked: number, mostBytes: number, bytes = sizes) {
  const tried: number[] = []
  const film = { planFor: ({ quality }: { quality: number }) => ({ quality }), asked }
  const course = byQuality(film as unknown as OpenedFilm, { askedBytes: bytes(asked), mostBytes })
  const result = await follow(course, async ({ plan }) => {
    const { quality } = plan as unknown as { quality: number }
    tried.push(quality)
    const made = { quality, facts: { sizeBytes: bytes(quality) } }
    return Promise.resolve({ result: made, pictureBytes: 0 } as unknown as Outcome)
  })
  const { quality } = (result ?? {}) as unknown as { quality?: number }
  return { quality, tried }
}

describe('the highest quality whose result is not larger than its source', () => {
  it('is found, whichever higher one was asked for', async () => {
    for (const asked of [99, 80, 60]) {
      const { quality, tried } = await fit(asked, sizes(50) + 1)
      expect(quality).toBe(50)
      expect(tried.length).toBeLessThanOrEqual(2)
    }
  })

  it.each([1.004, 1.01, 1.034, 1.08])(
    'or one that takes nearly as much is found in few tries, if a result grows by %f',
    async (growth) => {
      for (const over of [1.01, 1.1, 1.5]) {
        const bytes = (quality: number): number => Math.round(1e6 * over * growth ** (quality - 80))
        const { quality, tried } = await fit(80, 1e6, bytes)
        expect(tried.length).toBeLessThanOrEqual(over < 1.1 ? 2 : 4)
        if (quality === undefined) expect(bytes(1)).toBeGreaterThan(1e6)
        else {
          expect(bytes(quality)).toBeGreaterThanOrEqual(0.9 * 1e6)
          expect(bytes(quality)).toBeLessThanOrEqual(1e6)
        }
      }
    },
  )

  it('stays below the limit when sizes jump', async () => {
    const jumping = (quality: number): number => (quality < 37 ? 5_000 : 50_000 + quality)
    const { quality = 0, tried } = await fit(80, 40_000, jumping)
    expect(jumping(quality)).toBeLessThanOrEqual(40_000)
    expect(tried).toHaveLength(5)
  })

  it('is given up at once if not even the lowest fits', async () => {
    expect(await fit(80, 1_000)).toEqual({ quality: undefined, tried: [1] })
    expect(await fit(1, 1_000)).toEqual({ quality: undefined, tried: [] })
  })
})

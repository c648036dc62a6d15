import { describe, expect, it } from 'vitest'
import { scoreFrames, type GrayFrame } from '../../../containers/thumbnail/score-frames.ts'

const width = 64
const height = 48

function drawn(level: (x: number, y: number) => number): GrayFrame {
  const pixels = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round(level(i % width, Math.floor(i / width))),
  )
  return { width, height, pixels }
}

const checks = (dim = 1): GrayFrame =>
  drawn((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 220 * dim : 40 * dim))
const waves = drawn((x) => 130 + 90 * Math.sin(x / 2))

/** The place of the best. */
async function best(
  frames: readonly (GrayFrame | readonly [GrayFrame, GrayFrame])[],
): Promise<number> {
  const samples = frames.map((frame) =>
    'pixels' in frame ? { first: frame, next: undefined } : { first: frame[0], next: frame[1] },
  )
  const scores = await scoreFrames(samples)
  return scores.indexOf(Math.max(...scores))
}

describe('scoreFrames', () => {
  it('is 0 for black, white and single-coloured pictures', async () => {
    const plain = [drawn(() => 0), drawn(() => 255), drawn(() => 120)]
    expect(await scoreFrames(plain.map((first) => ({ first, next: undefined })))).toEqual([0, 0, 0])
  })

  it('prefers a sharp picture to a blurred one', async () => {
    expect(await best([waves, checks(), waves])).toBe(1)
  })

  it('prefers a full picture to one that is fading', async () => {
    expect(await best([checks(0.4), checks(0.8), checks()])).toBe(2)
  })

  it('recognises a fade by the next picture, even at its strongest moment', async () => {
    const steady = drawn((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 170 : 80))
    expect(await best([checks(), steady])).toBe(0)
    expect(
      await best([
        [checks(), checks(0.7)],
        [steady, steady],
      ]),
    ).toBe(1)
  })

  it('prefers the brighter of two similar pictures', async () => {
    expect(await best([drawn((x) => (x % 8) * 4), drawn((x) => 100 + (x % 8) * 4)])).toBe(1)
  })

  it('prefers the more typical of two similar pictures', async () => {
    const dark = drawn((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 160 : 60))
    const light = drawn((x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 195 : 95))
    expect(await best([light, dark, dark])).not.toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import {
  byteBudget,
  bytesUpTo,
  isKeptByRate,
  nextQuality,
  type TriedQuality,
} from '../../../../containers/render/output/byte-budget.ts'
import { nothingRemoved, type Removed } from '../../../../containers/timeline/list-cuts.ts'
import { timelineOf } from '../../../../containers/timeline/timeline.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'

const fps = 25
const steady = (bytesPerSecond: number) => (seconds: number) => seconds * bytesPerSecond

function budgetOf(
  codecs: readonly string[],
  changes: Partial<Parameters<typeof byteBudget>[1]> = {},
  {
    all = [],
    drawn = [],
  }: { all?: Removed['all']; drawn?: Parameters<typeof byteBudget>[0]['drawn'] } = {},
) {
  const clips = codecs.map((codec) => ({
    facts: someFacts({
      durationSeconds: 4,
      video: { codec, width: 1920, height: 1080, endSeconds: 4 },
    }),
  }))
  const result = { codec: 'h264', quality: 100, width: 1920, height: 1080 } as const
  const cut = {
    clips,
    timeline: timelineOf(clips),
    removed: { ...nothingRemoved, all },
    joints: [],
    drawn,
  }
  return byteBudget(cut, { ...result, audioBits: 0, ...changes })
}

describe('the bytes that a result may take', () => {
  it('are those of the source, by the pixels that are kept', () => {
    const seen = [steady(100_000)]
    expect(bytesUpTo(budgetOf(['h264']), seen)).toBeCloseTo(400_000)
    expect(bytesUpTo(budgetOf(['h264'], { width: 1080 }), seen)).toBeCloseTo(225_000)
    // Bars and larger pictures show no more of the source.
    expect(bytesUpTo(budgetOf(['h264'], { width: 3840, height: 2160 }), seen)).toBeCloseTo(400_000)
  })

  it('are kept by a rate of which the source has more, for as many of its pixels', () => {
    const ofRate = (bitRate?: number) => [{ facts: someFacts({ video: { bitRate } }) }]
    const isKept = (bitRate: number | undefined, width: number) =>
      isKeptByRate(budgetOf(['h264'], { width }), ofRate(bitRate), 1_000_000)
    expect(isKept(1_200_000, 1920)).toBe(true)
    expect(isKept(1_050_000, 1920)).toBe(false)
    expect(isKept(1_200_000, 960)).toBe(false)
    expect(isKept(undefined, 1920)).toBe(false)
    expect(isKeptByRate(budgetOf(['h264']), ofRate(1_200_000))).toBe(false)
  })

  it('are more where the codec of the source is a newer one', () => {
    const seen = [steady(100_000)]
    const of = (source: string, codec: 'h264' | 'vp9' = 'h264') =>
      bytesUpTo(budgetOf([source], { codec }), seen) / 400_000
    expect(['mpeg4', 'h264', 'vp8', 'hevc', 'vp9', 'av1'].map((codec) => of(codec))).toEqual([
      1, 1, 1, 1.6, 1.6, 1.6,
    ])
    expect(['h264', 'hevc', 'vp9', 'av1'].map((codec) => of(codec, 'vp9'))).toEqual([1, 1, 1, 1.6])
  })

  it('are more while something is drawn over the film', () => {
    const drawn = [
      { start: 1, end: 3, bytesPerSecond: 50_000 },
      { start: 2, end: 4, bytesPerSecond: 10_000, codec: 'hevc' },
    ]
    const budget = budgetOf(['h264'], {}, { drawn })
    const upTo = [1, 2, 3, Infinity].map((end) => bytesUpTo(budget, [steady(1_000)], end))
    expect(upTo).toEqual([1_000, 52_000, 119_000, 136_000])
  })

  it('are fewer at a lower quality', () => {
    const seen = [steady(100_000)]
    expect(bytesUpTo(budgetOf(['h264'], { quality: 60 }), seen)).toBeCloseTo(336_000)
  })

  it('are those of the seconds that cuts leave, of each clip', () => {
    const seen = [steady(100_000), (seconds: number) => (seconds > 1 ? 900_000 : 0)]
    // A second in the middle of the first clip, and the first second of the other.
    const removed = [
      { from: fps, to: 2 * fps },
      { from: 4 * fps, to: 5 * fps },
    ]
    const budget = budgetOf(['h264', 'h264'], {}, { all: removed })
    expect(bytesUpTo(budget, seen)).toBeCloseTo(1_200_000)
    expect(bytesUpTo(budget, seen, 2)).toBeCloseTo(200_000)
    expect(bytesUpTo(budget, seen, 3.5)).toBeCloseTo(1_200_000)
  })

  it('count in the seconds of a film with another speed', () => {
    const seen = [steady(100_000)]
    for (const speed of [0.25, 4]) {
      const budget = { ...budgetOf(['h264']), speed }
      expect(bytesUpTo(budget, seen)).toBeCloseTo(400_000)
      expect(bytesUpTo(budget, seen, 1 / speed)).toBeCloseTo(100_000)
    }
  })
})

describe('nextQuality', () => {
  it('does not tell from the beginning of a film by how much its whole grows', () => {
    const whole = { quality: 73, share: 1.72, isStopped: false }
    const search = { asked: 100, codec: 'vp9' } as const
    const stopped = { quality: 100, share: 2.4, isStopped: true }
    expect(nextQuality([stopped, whole], search)).toBeCloseTo(56.5, 0)
    expect(nextQuality([{ ...stopped, isStopped: false }, whole], search)).toBeLessThan(35)
  })

  /** A result that grows by this factor from one quality to the next. */
  function qualities(shareAt100: number, growth: number, asked = 100): TriedQuality[] {
    const tried: TriedQuality[] = []
    for (let quality: number | undefined = asked; quality !== undefined && tried.length < 9;) {
      tried.push({ quality, share: shareAt100 * growth ** (quality - 100) })
      quality = nextQuality(tried, { asked, codec: 'h264' })
    }
    return tried
  }

  it.each([1.016, 1.025, 1.034, 1.05])(
    'finds a result of the size of its source in five tries, if it grows by %f',
    (growth) => {
      const tried = qualities(1.8, growth)
      expect(tried.length).toBeLessThanOrEqual(5)
      expect(tried.at(-1)?.share).toBeGreaterThanOrEqual(0.9)
      expect(tried.at(-1)?.share).toBeLessThanOrEqual(1.05)
    },
  )

  it('tries the lowest quality soon where a lower one saves next to nothing, as of a still screen', () => {
    const tried = qualities(1.58, 1.004).map(({ quality }) => Math.round(quality))
    expect(tried).toEqual([100, 86, 25])
  })

  it('stays at the quality that was asked for if its result is not larger than the source', () => {
    expect(qualities(0.4, 1.034)).toHaveLength(1)
    expect(qualities(1.6, 1.034, 80)).toHaveLength(1)
  })

  it('never goes so low that the picture visibly suffers, nor above what was asked for', () => {
    expect(qualities(50, 1.034).at(-1)?.quality).toBe(25)
    expect(qualities(50, 1.034, 20)).toHaveLength(1)
    const early = [
      { quality: 100, share: 3 },
      { quality: 70, share: 0.2 },
    ]
    expect(nextQuality(early, { asked: 100, codec: 'h264' })).toBeLessThanOrEqual(100)
  })
})

import { describe, expect, it } from 'vitest'
import { renderInBudget } from '../../../../containers/job/render/render-in-budget.ts'
import { secondsEncoded } from '../../../../containers/job/render/run-plan.ts'
import { measureBytes } from '../../../../containers/ffmpeg/measure-bytes.ts'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'

const seconds = 4

/** A film that may take the bytes of its source, and an encoder that takes this many times as much at quality 100. */
async function aBudget(shareAtBest: number) {
  const source = await countedVideo({ seconds, fps: 25, sound: null })
  const { clips, tools } = await renderVideo([{ file: source }], { rotate: 180 })
  const [{ facts }] = clips
  const mayTake = (await measureBytes(tools, 'in0', facts))(seconds)
  const bytesAt = (quality: number): number => mayTake * shareAtBest * 1.05 ** (quality - 100)
  const stretches = [{ clip: 0, from: 0, to: seconds, share: 1 }]
  const budget = { stretches, speed: 1, soundBytes: 0 }
  const qualities: number[] = []
  const render = async ({ pictureQuality = 100 }: { pictureQuality?: number }) => {
    qualities.push(pictureQuality)
    return Promise.resolve({ result: pictureQuality, pictureBytes: bytesAt(pictureQuality) })
  }
  const wanted = { clips, budget, asked: 100, codec: 'h264', durationSeconds: seconds } as const
  return { context: { tools, log: () => undefined }, wanted, render, qualities, bytesAt, mayTake }
}

describe('a film in parts that may take no more bytes than its source', () => {
  it('is encoded once, at the quality that its samples ask for', async () => {
    const { context, wanted, render, qualities, bytesAt, mayTake } = await aBudget(1.7)
    const sampled: number[] = []
    const sample = async (quality: number) => {
      sampled.push(quality)
      const stretches = [{ from: 0, to: seconds }]
      return Promise.resolve({ pictureBytes: bytesAt(quality), stretches })
    }
    const quality = await renderInBudget(context, { ...wanted, sample }, render)
    expect(sampled[0]).toBe(100)
    expect(sampled.length).toBe(2)
    expect(qualities).toEqual([quality])
    expect(bytesAt(quality) / mayTake).toBeGreaterThan(0.85)
    expect(bytesAt(quality) / mayTake).toBeLessThan(1.05)
  })

  it('is encoded once although the whole of it takes an eighth more or less than its samples say', async () => {
    for (const error of [1.13, 0.88]) {
      const { context, wanted, render, qualities, bytesAt, mayTake } = await aBudget(1.7)
      const sample = async (quality: number) =>
        Promise.resolve({
          pictureBytes: bytesAt(quality) / error,
          stretches: [{ from: 0, to: seconds }],
        })
      const quality = await renderInBudget(context, { ...wanted, sample }, render)
      expect(qualities).toEqual([quality])
      expect(bytesAt(quality) / mayTake).toBeLessThan(1.05)
      expect(bytesAt(quality) / mayTake).toBeGreaterThan(0.8)
    }
  })

  it('is encoded as it was asked for where that is small enough, or where it cannot be sampled', async () => {
    const small = await aBudget(0.5)
    const sample = async () =>
      Promise.resolve({ pictureBytes: 1, stretches: [{ from: 0, to: seconds }] })
    expect(await renderInBudget(small.context, { ...small.wanted, sample }, small.render)).toBe(100)
    const other = await aBudget(1)
    const none = async () => Promise.resolve(undefined)
    const made = await renderInBudget(
      other.context,
      { ...other.wanted, sample: none },
      other.render,
    )
    expect(made).toBe(100)
  })
})

describe('how far an encode has come', () => {
  it('is told by its pictures without those that the encoder holds back, whatever the sound is at', () => {
    const plan = { averageFps: 25, codec: 'h264' } as const
    expect(secondsEncoded({ frames: 20 }, plan)).toBe(0)
    expect(secondsEncoded({ frames: 36 + 50 }, plan)).toBe(2)
    expect(secondsEncoded({ frames: 25 + 50 }, { ...plan, codec: 'vp9' })).toBe(2)
  })
})

import { describe, expect, it } from 'vitest'
import { follow, type Outcome } from '../../../../containers/job/render/render-try.ts'
import { inBudget, type BudgetedFilm } from '../../../../containers/job/render/in-budget.ts'
import { secondsEncoded } from '../../../../containers/job/render/run-plan.ts'

const seconds = 40
const mayTake = 1_000_000

type Ask = {
  /** How many times as much as it may take the film takes at quality 100. */
  readonly shareAtBest: number
  /** What a sample says of the bytes at a quality. */
  readonly sample?: (bytes: number) => Outcome
}

/** A film whose parts are encoded by several media workers, and which may take the bytes of its source. */
async function rendered({ shareAtBest, sample = sampleOf }: Ask) {
  const bytesAt = (quality: number) => mayTake * shareAtBest * 1.05 ** (quality - 100)
  const planFor = ({ pictureQuality = 100 }) => ({
    codec: 'h264',
    durationSeconds: seconds,
    pictureQuality,
  })
  const film = {
    ...{ plan: planFor({}), planFor, choice: { division: {} }, asked: 100, notes: 'notes' },
    ...{ first: undefined, upTo: (to = seconds) => (mayTake * to) / seconds },
  } as unknown as BudgetedFilm
  const tried: Record<string, number[]> = {}
  const result = await follow(inBudget(film), async ({ how, plan }) => {
    const { pictureQuality } = plan as unknown as { pictureQuality: number }
    tried[how] = [...(tried[how] ?? []), pictureQuality]
    const bytes = bytesAt(pictureQuality)
    const encoded = { result: { plan }, pictureBytes: bytes } as unknown as Outcome
    return Promise.resolve(how === 'sample' ? sample(bytes) : encoded)
  })
  const { pictureQuality: quality } = result.plan as unknown as { pictureQuality: number }
  return { quality, share: bytesAt(quality) / mayTake, tried }
}

const sampleOf = (pictureBytes: number): Outcome => ({
  sampled: { pictureBytes, stretches: [{ from: 0, to: seconds }] },
})

describe('a film in parts that may take no more bytes than its source', () => {
  it('is encoded once, at the quality that its samples ask for', async () => {
    const { quality, share, tried } = await rendered({ shareAtBest: 1.7 })
    expect(tried['sample']?.[0]).toBe(100)
    expect(tried['sample']).toHaveLength(2)
    expect(tried['encode']).toEqual([quality])
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(1.05)
  })

  it('is encoded once although the whole of it takes an eighth more or less than its samples say', async () => {
    for (const error of [1.13, 0.88]) {
      const sample = (bytes: number) => sampleOf(bytes / error)
      const { quality, share, tried } = await rendered({ shareAtBest: 1.7, sample })
      expect(tried['encode']).toEqual([quality])
      expect(share).toBeLessThan(1.05)
      expect(share).toBeGreaterThan(0.8)
    }
  })

  it('is encoded as it was asked for where that is small enough, or where it cannot be sampled', async () => {
    const small = await rendered({ shareAtBest: 0.5 })
    expect(small.tried).toEqual({ sample: [100], encode: [100] })
    const other = await rendered({ shareAtBest: 1, sample: () => ({ why: 'no room' }) })
    expect(other.tried).toEqual({ sample: [100], encode: [100] })
  })
})

/** A film that is looked at before it is encoded. `worst`: what it takes at least, as a share of what it may. */
async function renderedAfterLook(worst: number) {
  const planFor = (rate: object) => ({ codec: 'h264', durationSeconds: 20, ...rate })
  const film = {
    ...{ plan: planFor({}), planFor, choice: undefined, asked: 100, notes: 'notes' },
    ...{ first: undefined, upTo: () => mayTake },
  } as unknown as BudgetedFilm
  const runs: string[] = []
  await follow(inBudget(film), async ({ plan, how }) => {
    const {
      pictureQuality = 0,
      pictureBytes,
      pass,
    } = plan as unknown as {
      [Name in 'pictureQuality' | 'pictureBytes']?: number
    } & { pass?: { kind: string } }
    runs.push(pass?.kind ?? `quality ${pictureQuality}`)
    const bytes = pictureBytes ?? mayTake * worst * 1.02 ** (pictureQuality - 25)
    const made = Math.max(bytes, worst * mayTake)
    const film = how === 'look' ? { seenBytes: made } : { result: { plan }, pictureBytes: made }
    return Promise.resolve(film as unknown as Outcome)
  })
  return runs
}

describe('a short film that may take no more bytes than its source', () => {
  it('is encoded into those once it was looked at', async () => {
    expect(await renderedAfterLook(0.6)).toEqual(['look', 'second'])
  })

  it('is encoded at the lowest quality where the encoder cannot keep to so few', async () => {
    expect(await renderedAfterLook(1.08)).toEqual(['look', 'second', 'second', 'quality 25'])
  })
})

it('how far an encode has come is told by its pictures without those that the encoder holds back, whatever the sound is at', () => {
  const plan = { averageFps: 25, codec: 'h264' } as const
  expect(secondsEncoded({ frames: 20 }, plan)).toBe(0)
  expect(secondsEncoded({ frames: 36 + 50 }, plan)).toBe(2)
  expect(secondsEncoded({ frames: 25 + 50 }, { ...plan, codec: 'vp9' })).toBe(2)
})

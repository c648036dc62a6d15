import { describe, expect, it } from 'vitest'
import {
  forecastLine,
  leftByThePast,
  takesByThePast,
} from '../../../../worker/service/line/forecast-line.ts'

const now = 1_000_000
const uncapped = { mostOf: () => null, now }

const inLine = (...jobs: (readonly [jobId: string, accountId: string, seconds: number])[]) =>
  jobs.map(([jobId, accountId, seconds]) => ({ jobId, accountId, takesMs: seconds * 1000 }))

const atWork = (...jobs: (readonly [accountId: string, secondsLeft: number])[]) =>
  jobs.map(([accountId, seconds]) => ({ accountId, endsAt: now + seconds * 1000 }))

/** The second from now on at which each job begins. */
function starts(...given: Parameters<typeof forecastLine>): Record<string, number> {
  const all = [...forecastLine(...given)]
  return Object.fromEntries(all.map(([id, { startsAt }]) => [id, (startsAt - now) / 1000]))
}

describe('the forecast of the line', () => {
  it('gives each job the slot that falls free first', () => {
    const line = inLine(['a', 'x', 100], ['b', 'x', 10], ['c', 'x', 10])
    expect(starts(line, atWork(['y', 5], ['y', 60]), uncapped)).toEqual({ a: 5, b: 60, c: 70 })
  })

  it('lets a job whose account is at its cap wait for its own account, while others pass', () => {
    const line = inLine(['capped', 'x', 10], ['other', 'y', 10])
    const caps = { mostOf: (id: string) => (id === 'x' ? 1 : null), now }
    expect(starts(line, atWork(['x', 300], ['y', 20]), caps)).toEqual({ capped: 300, other: 20 })
  })

  it('takes a running job that should have ended long ago for one that ends now', () => {
    expect(starts(inLine(['a', 'x', 1]), atWork(['x', -50]), uncapped)).toEqual({ a: 0 })
  })

  it('tells nothing while no job runs, and of no job whose start depends on an unknown end', () => {
    expect(starts(inLine(['a', 'x', 1]), [], uncapped)).toEqual({})
    const line = inLine(['a', 'x', Infinity], ['b', 'x', Infinity], ['c', 'x', 1])
    const all = starts(line, atWork(['x', 10], ['x', Infinity]), uncapped)
    expect(all).toEqual({ a: 10, b: Infinity, c: Infinity })
  })

  it('works out a line of 10,000 jobs in well under a second', () => {
    const line = inLine(
      ...Array.from({ length: 10_000 }, (_, i) => [`j${i}`, `a${i % 50}`, 1 + (i % 90)] as const),
    )
    const working = atWork(...Array.from({ length: 300 }, (_, i) => [`a${i % 50}`, i] as const))
    const began = performance.now()
    expect(forecastLine(line, working, { mostOf: () => 7, now }).size).toBe(10_000)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('how long the next job of an account takes', () => {
  it('is as long as its last ones, of which the last one counts most, whatever others send', () => {
    const past = [
      ...[10, 20, 60].map((ms) => ({ accountId: 'x', ms })),
      ...Array.from({ length: 9 }, () => ({ accountId: 'y', ms: 1 })),
    ]
    const takesMs = takesByThePast(past, 'x') ?? 0
    expect(takesMs).toBeGreaterThan(33)
    expect(takesMs).toBeLessThan(40)
  })

  it('is as long as those of all accounts if it had none, and unknown without any', () => {
    expect(takesByThePast([{ accountId: 'y', ms: 8 }], 'x')).toBe(8)
    expect(takesByThePast([], 'x')).toBeUndefined()
  })
})

describe('how long a job still works, by the past', () => {
  it('compares it with those that have taken longer', () => {
    expect(leftByThePast([10, 20, 60, 100], 0)).toBe(60)
    expect(leftByThePast([10, 20, 60, 100], 30)).toBe(70)
  })

  it('is as long again for a job that has outlasted all of them', () => {
    expect(leftByThePast([10, 20], 500)).toBe(500)
    expect(leftByThePast([], 500)).toBeUndefined()
  })
})

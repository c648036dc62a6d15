import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countAhead,
  decideRate,
  isCounted,
  requestsPerWrite,
  type WindowUse,
} from '../../../../worker/service/limits/rate-limit.ts'
import { seeded } from '../../../support/node/seeded.ts'

describe('requestsPerWrite', () => {
  it('is one request for limits below two thousand, and a thousandth of larger ones', () => {
    const perWrite = (limit: number) => requestsPerWrite([{ limit, seconds: 60 }])
    expect([1, 100, 1000, 1999].map(perWrite)).toEqual([1, 1, 1, 1])
    expect([2000, 6000, 10_000, 900_000].map(perWrite)).toEqual([2, 6, 10, 900])
  })

  it('follows the smallest of several windows', () => {
    const windows = [
      { limit: 100, seconds: 60 },
      { limit: 100_000, seconds: 3600 },
    ]
    expect(requestsPerWrite(windows)).toBe(1)
  })
})

it('countAhead stores at every moment at least what was counted, and at most a thousandth of the limit more', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 20_000 }), (waits, limit) => {
      const windows = [{ limit, seconds: 60 }]
      let [uses, stored, now]: [WindowUse[], WindowUse[], number] = [[], [], 0]
      for (const wait of waits) {
        now += wait
        const decision = decideRate(windows, uses, now)
        if (decision.outcome === 'refuse') continue
        uses = decision.uses
        if (!isCounted(uses, stored)) stored = countAhead(uses, windows)
        const ahead = (stored[0]?.count ?? 0) - (uses[0]?.count ?? 0)
        expect(stored[0]?.startedAt).toBe(uses[0]?.startedAt)
        expect(ahead).toBeGreaterThanOrEqual(0)
        expect(ahead).toBeLessThanOrEqual(limit / 1000)
      }
    }),
    seeded(200),
  )
})

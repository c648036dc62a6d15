import { describe, expect, it } from 'vitest'
import { decideRate } from '../../../../worker/service/limits/rate-limit.ts'

const windows = [{ limit: 2, seconds: 60 }]
const hours = 3 * 3_600_000
const full = (startedAt: number) => [{ seconds: 60, startedAt, count: 2 }]

describe('decideRate', () => {
  it('opens a new window after the clock was put on or back by hours', () => {
    for (const now of [hours, -hours]) {
      const decided = decideRate(windows, full(0), now)
      expect(decided).toMatchObject({ outcome: 'admit', uses: [{ startedAt: now, count: 1 }] })
    }
  })

  it('keeps a window of which the clock is only a little short', () => {
    expect(decideRate(windows, full(0), -1_000)).toMatchObject({ retryAfterSeconds: 61 })
  })
})

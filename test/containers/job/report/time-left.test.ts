import { describe, expect, it } from 'vitest'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'

function aClock() {
  const clock = { ms: 0 }
  return { clock, left: new TimeLeft(() => clock.ms) }
}

describe('TimeLeft', () => {
  it('uses the pace of the rendering, not the time that the source took', () => {
    const { clock, left } = aClock()
    left.hear('fetching', 0)
    clock.ms = 600_000
    left.hear('rendering', 20)
    clock.ms += 10_000
    left.hear('rendering', 60)
    expect(left.ms).toBe(10_000)
    clock.ms += 4_000
    left.hear('rendering', 80)
    expect(left.ms).toBeCloseTo(4_667, 0)
  })

  it('estimates nothing from a phase that has just begun, or that says little about the work', () => {
    const { clock, left } = aClock()
    expect(left.ms).toBe(Infinity)
    left.hear('fetching', 0)
    clock.ms = 1000
    left.hear('fetching', 14)
    expect(left.ms).toBe(Infinity)
    left.hear('rendering', 20)
    clock.ms = 60_000
    expect(left.ms).toBe(Infinity)
  })

  it('grows while there is no progress', () => {
    const { clock, left } = aClock()
    left.hear('rendering', 20)
    clock.ms = 1000
    left.hear('rendering', 90)
    expect(left.ms).toBeLessThan(200)
    clock.ms = 300_000
    expect(left.ms).toBeGreaterThan(30_000)
  })
})

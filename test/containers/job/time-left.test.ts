import { describe, expect, it } from 'vitest'
import { TimeLeft } from '../../../containers/job/time-left.ts'

function aClock() {
  const clock = { ms: 0 }
  return { clock, left: new TimeLeft(() => clock.ms) }
}

describe('TimeLeft', () => {
  it('goes by the pace of the rendering, not by how long the source took', () => {
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

  it('expects nothing of a phase that has only begun, or says little of the work', () => {
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

  it('grows while nothing moves', () => {
    const { clock, left } = aClock()
    left.hear('rendering', 20)
    clock.ms = 1000
    left.hear('rendering', 90)
    expect(left.ms).toBeLessThan(200)
    clock.ms = 300_000
    expect(left.ms).toBeGreaterThan(30_000)
  })
})

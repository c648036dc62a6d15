import { describe, expect, it } from 'vitest'
import { simulateDay } from '../../../bench/model/day/simulate-day.ts'
import { arrivals } from '../../../bench/model/day/traffic.ts'

const day = { perHour: 600, slots: 20, from: 14, until: 18, seed: 7 }

describe('a day in simulation', () => {
  it('gives every video that comes its turn, however few the containers are', () => {
    const few = { ...day, slots: 5 }
    const figures = simulateDay(few)
    expect(figures.videos).toBe(arrivals(few.perHour, few).length)
    expect(figures.mostSlots).toBe(5)
    expect(figures.longestLine).toBeGreaterThan(500)
  })

  it('waits for a container only while there are more than enough', () => {
    const { waited, refusals } = simulateDay({ ...day, slots: 1000 })
    expect(refusals).toBe(0)
    expect(waited.most).toBeGreaterThan(2.5)
    expect(waited.most).toBeLessThan(20)
  })

  it('shows the shortage and the rollout of the day, and repeats what failed', () => {
    const whole = simulateDay({ ...day, from: 0, until: 24 })
    const morning = simulateDay({ ...day, from: 0, until: 10 })
    expect(whole.waited.most).toBeGreaterThan(morning.waited.most)
    expect(whole.retries).toBeGreaterThan(50)
    expect(simulateDay({ ...day, slots: 1000, from: 10, until: 12 }).waited.p95).toBeGreaterThan(15)
  })

  it('is the same for the same seed, and another one for another', () => {
    expect(simulateDay(day)).toEqual(simulateDay(day))
    expect(simulateDay({ ...day, seed: 8 })).not.toEqual(simulateDay(day))
  })

  it('brings as many videos as it is told, and most of them in the afternoon', () => {
    const all = arrivals(1_000, { from: 0, until: 24, seed: 7 })
    // A tenth as many come in bursts, every three hours.
    expect(all.length / (24_000 + 8 * 100)).toBeCloseTo(1, 1)
    const between = (from: number, until: number): number =>
      all.filter(({ at }) => at >= from * 3_600_000 && at < until * 3_600_000).length
    expect(between(13, 17)).toBeGreaterThan(3 * between(1, 5))
  })
})

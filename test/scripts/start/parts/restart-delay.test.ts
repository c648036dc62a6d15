import { describe, expect, it } from 'vitest'
import { nextRestartDelay } from '../../../../scripts/start/parts/part.ts'

describe('nextRestartDelay', () => {
  it('doubles from 0.2 to 5 seconds while a part keeps dying young', () => {
    const delays = [nextRestartDelay(undefined, 0)]
    for (let death = 1; death < 7; death++) delays.push(nextRestartDelay(delays.at(-1), 9_999))
    expect(delays).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  })

  it('starts again from the first delay after ten seconds of life', () => {
    expect(nextRestartDelay(5000, 10_000)).toBe(200)
  })
})

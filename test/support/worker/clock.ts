import { afterEach, beforeEach, vi } from 'vitest'

/** More than the tests of a file take on the slowest machine, and less than the day for which orphans are spared. */
const aheadMs = 3_600_000

/**
 * Stops the clock unless a test moves it. It starts ahead of the real time, which the runtime uses: otherwise an alarm
 * set for seconds later would ring in the middle of a later test. So an alarm runs only when a test runs it.
 */
export function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export function advanceSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

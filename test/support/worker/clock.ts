import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Time stands still unless a test moves it. It starts at the true time and only goes forward: an alarm set by this
 * clock then never lies in the past of the true one, and runs only when a test runs it.
 */
export function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export function advanceSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

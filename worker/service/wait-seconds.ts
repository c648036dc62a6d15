const firstWaitSeconds = 5
const longestWaitSeconds = 60

/**
 * 5 s, doubling up to 60 s, and shortened at random by up to a quarter so that waiting jobs do not come back together.
 */
export function waitSeconds(waits: number, random: () => number): number {
  const base = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(waits, 10))
  return Math.round(base * (0.75 + 0.25 * random()))
}

const firstMs = 200
const longestMs = 5_000
const healthyLifeMs = 10_000

/** How long to wait before a part is started again: doubling while it keeps dying young. */
export function nextRestartDelay(previousMs: number | undefined, lifetimeMs: number): number {
  if (previousMs === undefined || lifetimeMs >= healthyLifeMs) return firstMs
  return Math.min(previousMs * 2, longestMs)
}

const firstMs = 200
const longestMs = 5_000
const healthyLifeMs = 10_000

/** How long to wait before a part is restarted; the time doubles while the part keeps dying early. */
export function nextRestartDelay(previousMs: number | undefined, lifetimeMs: number): number {
  if (previousMs === undefined || lifetimeMs >= healthyLifeMs) return firstMs
  return Math.min(previousMs * 2, longestMs)
}

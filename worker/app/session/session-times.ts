const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long a session lasts without being used, and at most. */
export const sessionTimes = { idleMs: 30 * dayMs, longestMs: 180 * dayMs, noteEveryMs: hourMs }

/** When a session that began then and is used now ends. */
export function endOfSession(createdAt: number, now: number): number {
  return Math.min(now + sessionTimes.idleMs, createdAt + sessionTimes.longestMs)
}

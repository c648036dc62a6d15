import type { RateWindow } from '../../contract/rate-windows.ts'
import type { RateLane } from './rate-lane.ts'

/**
 * How much of one window is used. A window opens with its first request, and is over once the clock is further away from
 * that moment than the window is long: in either direction, because a clock may be set back.
 */
export type WindowUse = { seconds: number; startedAt: number; count: number }

export type RateState = { limit: number; seconds: number; remaining: number; resetAt: number }

/** The state of every window of a lane. */
export type LaneStates = { lane: RateLane; states: RateState[] }

type RateDecision =
  | { outcome: 'admit'; uses: WindowUse[]; states: RateState[] }
  | { outcome: 'refuse'; states: RateState[]; retryAfterSeconds: number }

/** Counts a request in every window, or in none: a refused request uses up nothing. */
export function decideRate(
  windows: readonly RateWindow[],
  uses: readonly WindowUse[],
  now: number,
): RateDecision {
  const current = openUses(windows, uses, now)
  const full = current.filter((use, i) => use.count >= (windows[i]?.limit ?? 0))
  if (full.length > 0) {
    const free = Math.max(...full.map((use) => use.startedAt + use.seconds * 1000))
    const retryAfterSeconds = Math.max(1, Math.ceil((free - now) / 1000))
    return { outcome: 'refuse', states: describe(windows, current), retryAfterSeconds }
  }
  const counted = current.map((use) => ({ ...use, count: use.count + 1 }))
  return { outcome: 'admit', uses: counted, states: describe(windows, counted) }
}

/** How much is left of every window, without counting anything. */
export function describeUses(
  windows: readonly RateWindow[],
  uses: readonly WindowUse[],
  now: number,
): RateState[] {
  return describe(windows, openUses(windows, uses, now))
}

function openUses(
  windows: readonly RateWindow[],
  uses: readonly WindowUse[],
  now: number,
): WindowUse[] {
  return windows.map(({ seconds }) => {
    const use = uses.find((known) => known.seconds === seconds)
    const open = use !== undefined && Math.abs(now - use.startedAt) < seconds * 1000
    return open ? use : { seconds, startedAt: now, count: 0 }
  })
}

function describe(windows: readonly RateWindow[], uses: readonly WindowUse[]): RateState[] {
  return windows.map(({ limit, seconds }, i) => ({
    limit,
    seconds,
    remaining: Math.max(0, limit - (uses[i]?.count ?? 0)),
    resetAt: (uses[i]?.startedAt ?? 0) + seconds * 1000,
  }))
}

/** The window with the fewest requests left; of two that are used up, the one that opens later. */
function tightestWindow(states: readonly RateState[]): RateState | undefined {
  return states.toSorted((a, b) => a.remaining - b.remaining || b.resetAt - a.resetAt)[0]
}

/** The three X-RateLimit headers and the two of the IETF draft, in which the names of windows include the lane. */
export function rateHeaders(
  lane: RateLane,
  states: readonly RateState[],
  now: number,
): Record<string, string> {
  const tightest = tightestWindow(states)
  if (!tightest) return {}
  const prefix = lane === 'requests' ? '' : `${lane}-`
  const named = states.map((state) => ({ ...state, name: `"${prefix}${state.seconds}s"` }))
  const wait = (resetAt: number) => Math.max(0, Math.ceil((resetAt - now) / 1000))
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(Math.ceil(tightest.resetAt / 1000)),
    'RateLimit-Policy': named.map((w) => `${w.name};q=${w.limit};w=${w.seconds}`).join(', '),
    RateLimit: named.map((w) => `${w.name};r=${w.remaining};t=${wait(w.resetAt)}`).join(', '),
  }
}

/**
 * How many requests are counted with one write: a thousandth of the smallest limit. If a count is lost with the
 * object's memory, it is wrong by at most that.
 */
export function requestsPerWrite(windows: readonly RateWindow[]): number {
  const smallest = Math.min(...windows.map(({ limit }) => limit))
  return Math.max(1, Math.floor(smallest / 1000))
}

/** The uses as they will be when all requests of the write have been counted. */
export function countAhead(
  uses: readonly WindowUse[],
  windows: readonly RateWindow[],
): WindowUse[] {
  const ahead = requestsPerWrite(windows) - 1
  return uses.map((use) => ({ ...use, count: use.count + ahead }))
}

/** True when the stored uses count at least as many requests in the same windows. */
export function isCounted(uses: readonly WindowUse[], stored: readonly WindowUse[]): boolean {
  return uses.every(({ seconds, startedAt, count }) =>
    stored.some(
      (known) => known.seconds === seconds && known.startedAt === startedAt && known.count >= count,
    ),
  )
}

import type { RateWindow } from '../../contract/rate-windows.ts'

/** How a request is counted. Each lane has its own windows, so that no lane uses up those of another. */
export type RateLane = 'requests' | 'reads' | 'uploads'

/**
 * All keys of an account together may send as many requests as this many keys, so that more keys do not mean more
 * requests. An account that never had more keys cannot reach this limit, and needs no counting.
 */
export const keysWorth = 10

/** The windows of all keys of an account together. */
export function togetherOf({ requests, reads }: RatePlan): RatePlan {
  const times = (windows: readonly RateWindow[]) =>
    windows.map(({ limit, seconds }) => ({ limit: limit * keysWorth, seconds }))
  return { requests: times(requests), reads: reads && times(reads) }
}

/** The kind of a request, which decides its lane. */
export type RequestUse = 'read' | 'write' | 'upload'

/** The windows of a key. Without windows for reads, reads count as requests. */
export type RatePlan = {
  requests: readonly RateWindow[]
  reads?: readonly RateWindow[] | undefined
}

/** The windows of a signed-in person: pages often look for changes, so reads are counted apart from the plan. */
export const dashboardReads: readonly RateWindow[] = [{ limit: 1200, seconds: 60 }]

/** The lanes that have windows of their own. */
export function lanesOf(plan: RatePlan): RateLane[] {
  return plan.reads ? ['requests', 'reads', 'uploads'] : ['requests', 'uploads']
}

/** How many requests may continue an upload for each request that could open one. */
const uploadFactor = 10

/**
 * Requests that continue an upload have windows of their own, which opening uploads cannot use up: a client that has sent
 * half a file must not be turned away.
 */
export function chooseLane(use: RequestUse, plan: RatePlan): RateLane {
  if (use === 'upload') return 'uploads'
  return use === 'read' && plan.reads ? 'reads' : 'requests'
}

export function windowsOf(lane: RateLane, plan: RatePlan): readonly RateWindow[] {
  switch (lane) {
    case 'requests':
      return plan.requests
    case 'reads':
      return plan.reads ?? plan.requests
    case 'uploads':
      return plan.requests.map(({ limit, seconds }) => ({ limit: limit * uploadFactor, seconds }))
  }
}

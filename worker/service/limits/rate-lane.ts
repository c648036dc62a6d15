import type { RateWindow } from '../../contract/rate-windows.ts'

/** What a request counts as. Each lane has its own windows, so that no lane uses up those of another. */
export type RateLane = 'requests' | 'reads' | 'uploads'

/**
 * What all keys of an account may do together, in windows of one key: more keys are not more requests. An account that
 * never had more keys than that cannot reach it, and costs no counting.
 */
export const keysWorth = 10

/** The windows of all keys of an account together. */
export function togetherOf({ requests, reads }: RatePlan): RatePlan {
  const times = (windows: readonly RateWindow[]) =>
    windows.map(({ limit, seconds }) => ({ limit: limit * keysWorth, seconds }))
  return { requests: times(requests), reads: reads && times(reads) }
}

/** What kind of request it is, for counting. */
export type RequestUse = 'read' | 'write' | 'upload'

/** The windows of a key. Without windows for reads, reads count as requests. */
export type RatePlan = {
  requests: readonly RateWindow[]
  reads?: readonly RateWindow[] | undefined
}

/**
 * The windows of somebody who is signed in: pages look often at what moves, so reads are counted apart from the plan.
 */
export const dashboardReads: readonly RateWindow[] = [{ limit: 1200, seconds: 60 }]

/** The lanes that have windows of their own. */
export function lanesOf(plan: RatePlan): RateLane[] {
  return plan.reads ? ['requests', 'reads', 'uploads'] : ['requests', 'uploads']
}

/** How many requests may continue an upload for each request that could open one. */
const uploadFactor = 10

/**
 * Requests that continue an upload are counted apart, in windows that opening uploads cannot use up: a client that has
 * sent half a file must not be turned away.
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

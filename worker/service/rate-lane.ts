import type { RateWindow } from '../contract/rate-windows.ts'

/** What a request is counted as. Each lane has windows of its own, so none of them uses up another's. */
export type RateLane = 'requests' | 'reads' | 'uploads'

/** What a request is for, as far as counting goes. */
export type RequestUse = 'read' | 'write' | 'upload'

/** The windows of a key. Without any for reads, reads are requests like all others. */
export type RatePlan = {
  requests: readonly RateWindow[]
  reads?: readonly RateWindow[] | undefined
}

/** Requests that go on with an upload, for each that could have been begun instead. */
const uploadFactor = 10

/**
 * Going on with an upload that was begun is counted apart, and in windows that its beginnings cannot use up: a client that
 * has sent half a file is not sent away.
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

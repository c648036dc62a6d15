/** The result of sending a webhook once. */
export type DeliveryAnswer = {
  statusCode: number | null
  /** How long the receiver asked to wait, in its Retry-After. */
  retryAfterMs?: number | undefined
  /** The process ended before the answer came. It was not the receiver's fault, so the next attempt follows at once. */
  interrupted?: boolean
}

type DeliveryTurn = {
  /** Counted from 1 within the current round. */
  attempt: number
  scheduleMs: readonly number[]
  now: number
  random: () => number
}

type DeliveryDecision =
  | { status: 'succeeded' | 'stopped' | 'exhausted' }
  | { status: 'pending'; dueAt: number }

/** Spreads the attempts, so that receivers that failed together are not all asked at the same moment. */
const jitter = 0.1

export function decideDelivery(sending: DeliveryAnswer, turn: DeliveryTurn): DeliveryDecision {
  const { statusCode, retryAfterMs = 0 } = sending
  const { attempt, scheduleMs, now, random } = turn
  if (isSuccess(statusCode)) return { status: 'succeeded' }
  if (statusCode === 410) return { status: 'stopped' }
  const waitMs = scheduleMs[attempt]
  if (waitMs === undefined) return { status: 'exhausted' }
  if (sending.interrupted) return { status: 'pending', dueAt: now }
  const asked = Math.min(retryAfterMs, Math.max(...scheduleMs))
  const spread = waitMs * (1 + jitter * random())
  return { status: 'pending', dueAt: Math.round(now + Math.max(spread, asked)) }
}

export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}

/** If a delivery is still pending this long after its schedule, its remaining attempts were lost. */
const graceMs = 7 * 86_400_000

export function isSpent(roundAt: number, scheduleMs: readonly number[], now: number): boolean {
  const total = scheduleMs.reduce((sum, waitMs) => sum + waitMs * (1 + jitter), 0)
  return now > roundAt + total + graceMs
}

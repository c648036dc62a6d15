import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import type { Counting, KeyGate } from '../../durable/key-gate.ts'
import { describeError, log } from '../../service/log.ts'
import type { RateLane, RequestUse } from '../../service/limits/rate-lane.ts'
import { rateHeaders } from '../../service/limits/rate-limit.ts'
import type { AppEnv } from '../app-env.ts'

const laneNames: Record<RateLane, string> = {
  requests: 'requests',
  reads: 'reads',
  uploads: 'requests about uploads',
}

/** How this request is counted. */
export function useOf(c: Context<AppEnv>): RequestUse {
  if (c.get('continuesUpload')) return 'upload'
  return c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write'
}

/** Asks twice, because a Durable Object that is being moved fails once and answers the next time. */
export async function askGate<Answer>(
  gate: () => DurableObjectStub<KeyGate>,
  ask: (gate: DurableObjectStub<KeyGate>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(gate())
  } catch (error) {
    log('info', 'key gate failed once', describeError(error))
  }
  try {
    return await ask(gate())
  } catch (error) {
    throw new AppError('ServiceUnavailable', undefined, { retryAfterSeconds: 1, cause: error })
  }
}

/** Adds the window headers to the answer; refuses the request if a window is used up. */
export function answerCounting(c: Context<AppEnv>, counting: Counting): void {
  const { lane, states } = counting
  for (const [name, value] of Object.entries(rateHeaders(lane, states, Date.now()))) {
    c.header(name, value)
  }
  if (counting.outcome === 'limited') {
    const { retryAfterSeconds } = counting
    const message = `Too many ${laneNames[lane]}; try again in ${retryAfterSeconds} s.`
    throw new AppError('RateLimitExceeded', message, { retryAfterSeconds })
  }
}

import type { Context } from 'hono'
import { AppError } from '../contract/answers/errors.ts'
import { deriveKey, macOf } from '../contract/keyed-hash.ts'
import { formatMetrics, sampleMetrics } from '../service/metrics.ts'
import { dispatcher } from '../service/line/dispatching.ts'
import { readRequestCounts } from '../service/limits/request-counts.ts'
import { describeError, log } from '../service/log.ts'
import { readState } from '../service/service-state.ts'
import { readSettings, type Env } from '../settings.ts'
import { countDatabaseErrors } from '../store/database-faults.ts'
import type { AppEnv } from './app-env.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { readSharedHealth } from './health.ts'
import { countGuess } from './guard/shield-guesses.ts'

const notAsked = 'the dispatcher was not asked'

/** GET /metrics */
export async function readMetrics(c: Context<AppEnv>): Promise<Response> {
  const given = /^bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  const { adminSecret } = readSettings(c.env)
  if (given === undefined || !(await opensMetrics(adminSecret, given))) {
    await countGuess(c)
    throw new AppError(
      'Unauthorized',
      'Send the token of the metrics: Authorization: Bearer <TOKEN>. docs/operators/operations.md says how to make it.',
      { headers: { 'WWW-Authenticate': 'Bearer realm="spool metrics"' } },
    )
  }
  const now = Date.now()
  const state = await ifItAnswers('the state of the service was not read', async () =>
    readState(c.env, now),
  )
  const { checks } = await readSharedHealth(c.env, now, c.executionCtx)
  const samples = sampleMetrics(state, {
    version: serviceVersion,
    requests: readRequestCounts(),
    checks,
    databaseErrors: countDatabaseErrors(),
    containersRefused: await ifItAnswers(notAsked, async () => readRefusals(c.env)),
    partsLent: await ifItAnswers(notAsked, async () => dispatcher(c.env).lent()),
  })
  return c.body(formatMetrics(samples), 200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  })
}

/** How often containers were refused; undefined where media workers have addresses. */
async function readRefusals(env: Env): Promise<number | undefined> {
  if (readSettings(env).mediaWorkers.urls.length > 0) return undefined
  return (await dispatcher(env).containerFault())?.refused ?? 0
}

/** Undefined while the part fails: the scrape must go on then, because that is when its operator looks. */
async function ifItAnswers<Answer>(
  fault: string,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    log('error', fault, describeError(error))
    return undefined
  }
}

/**
 * Accepts a token that is good for the metrics only, so that a scraper need not have the secret that commands are signed
 * with, or that secret itself. MACs of both are compared, so that the time of the comparison tells nothing.
 */
async function opensMetrics(adminSecret: string, given: string): Promise<boolean> {
  const good = [await deriveKey(adminSecret, 'metrics'), adminSecret]
  const code = await macOf(adminSecret, given)
  const codes = await Promise.all(good.map(async (text) => macOf(adminSecret, text)))
  return codes.includes(code)
}

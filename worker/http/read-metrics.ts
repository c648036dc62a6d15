import type { Context } from 'hono'
import { AppError } from '../contract/errors.ts'
import { deriveKey, macOf } from '../contract/signature.ts'
import { formatMetrics, sampleMetrics } from '../service/metrics.ts'
import { readRequestCounts } from '../service/request-counts.ts'
import { readState } from '../service/service-state.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { countGuess } from './shield-guesses.ts'

/** GET /metrics */
export async function readMetrics(c: Context<AppEnv>): Promise<Response> {
  const given = /^bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  const { adminSecret } = readSettings(c.env)
  if (given === undefined || !(await opensMetrics(adminSecret, given))) {
    await countGuess(c)
    throw new AppError(
      'Unauthorized',
      'Send the token of the metrics: Authorization: Bearer <TOKEN>. docs/operations.md says how to make it.',
      { headers: { 'WWW-Authenticate': 'Bearer realm="spool metrics"' } },
    )
  }
  const state = await readState(c.env, Date.now())
  const samples = sampleMetrics(state, { version: serviceVersion, requests: readRequestCounts() })
  return c.body(formatMetrics(samples), 200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  })
}

/**
 * A token that is good for the metrics only, so that a scraper need not have the secret that commands are signed with; but
 * who has that secret may see them too. Their codes are compared instead of them, which tells nothing by its time.
 */
async function opensMetrics(adminSecret: string, given: string): Promise<boolean> {
  const good = [await deriveKey(adminSecret, 'metrics'), adminSecret]
  const code = await macOf(adminSecret, given)
  const codes = await Promise.all(good.map(async (text) => macOf(adminSecret, text)))
  return codes.includes(code)
}

import type { Context } from 'hono'
import { hashOf, readKey } from './guard/presented-key.ts'
import { invalidRequest } from '../contract/answers/errors.ts'
import { usageQuery } from '../contract/usage.ts'
import { keyGate, personGate } from '../durable/key-gate.ts'
import { chooseDays, describeUsage } from '../service/describe-usage.ts'
import { limitsOf } from '../service/limits/quota.ts'
import type { LaneStates } from '../service/limits/rate-limit.ts'
import { readUsage as findUsage } from '../store/usage.ts'
import type { AppEnv } from './app-env.ts'
import { askGate } from './guard/count-request.ts'
import { readQuery } from './read-query.ts'

/** GET /v1/usage */
export async function getUsage(c: Context<AppEnv>): Promise<Response> {
  const days = chooseDays(await readQuery(c, usageQuery), Date.now())
  if ('field' in days) throw invalidRequest([days])
  const stored = await findUsage(c.env.DB, c.get('caller').accountId, days)
  const limits = await limitsOf(c.env, c.get('caller').accountId, stored)
  return c.json(describeUsage(days, stored, { ...limits, windows: await readWindows(c) }))
}

/** What is left of the windows of the key or member that sends this request, which is counted already. */
async function readWindows(c: Context<AppEnv>): Promise<LaneStates[]> {
  const caller = c.get('caller')
  if ('personId' in caller) {
    const limits = c.get('memberLimits') ?? null
    return askGate(
      () => personGate(c.env, caller.personId, caller.accountId),
      async (gate) => gate.readMemberWindows(limits),
    )
  }
  const hash = await hashOf(c, readKey(c))
  return askGate(
    () => keyGate(c.env, hash),
    async (gate) => gate.readWindows(),
  )
}

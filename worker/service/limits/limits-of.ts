import { readSettings, type Env } from '../../settings.ts'
import type { StoredUsage } from '../../store/usage.ts'
import { judgeBudget } from './budget.ts'
import { readQuota } from './quota.ts'

/** What bounds an account, for the record of its usage. */
export async function limitsOf(
  env: Env,
  accountId: string,
  { budget: limit }: Pick<StoredUsage, 'budget'>,
) {
  const budget = limit === null ? null : await judgeBudget(env, { accountId, limit }, Date.now())
  return { limitBytes: readQuota(env), budget, prices: readSettings(env).prices }
}

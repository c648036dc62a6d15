import { AppError } from '../../contract/answers/errors.ts'
import { readSettings, type Env } from '../../settings.ts'
import { readUsedBytes, type StoredUsage } from '../../store/usage.ts'
import { judgeBudget } from './budget.ts'

/** How many bytes an account may keep; undefined if nothing limits it. */
export function readQuota(env: Env): number | undefined {
  return readSettings(env).mostAccountBytes || undefined
}

/** Refuses work that would add a result to an account that keeps too much. Results it has already stay. */
export async function refuseOverQuota(env: Env, accountId: string): Promise<void> {
  const most = readQuota(env)
  if (most === undefined) return
  const used = await readUsedBytes(env.DB, accountId)
  if (used > most) throw quotaExceeded(used, most)
}

export function quotaExceeded(used: number, most: number): AppError {
  const size = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
  return new AppError(
    'QuotaExceeded',
    `This account uses ${size(used)} of its ${size(most)} of storage, so this does not fit. Delete videos or uploads that are no longer needed, or ask the operator of this service for more.`,
  )
}

/** The limits of an account, for the record of its usage. */
export async function limitsOf(
  env: Env,
  accountId: string,
  { budget: limit }: Pick<StoredUsage, 'budget'>,
) {
  const budget = limit === null ? null : await judgeBudget(env, { accountId, limit }, Date.now())
  return { limitBytes: readQuota(env), budget, prices: readSettings(env).prices }
}

import { AppError } from '../../contract/answers/errors.ts'
import { readSettings, type Env } from '../../settings.ts'
import { readUsedBytes } from '../../store/usage.ts'

/** What every account may keep; undefined where there is no limit. */
export function readQuota(env: Env): number | undefined {
  return readSettings(env).mostAccountBytes || undefined
}

/** Refuses what would add a result to an account that keeps more than it may. Results of what it has already are kept. */
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

import { AppError } from '../../contract/answers/errors.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { costOf } from '../../contract/job/price-of.ts'
import { tightPercent, type UsageRecord } from '../../contract/usage.ts'
import { readSettings, type Env } from '../../settings.ts'
import { readBudgets, readSpent } from '../../store/budgets.ts'
import { timestamp } from '../videos/describe-video.ts'

/**
 * The accounts that have a budget. Most services have none, so a create costs no statement there. An isolate learns within
 * this time of a budget that has changed.
 */
const known = isolateMemory<{ budgets: ReadonlyMap<string, number>; at: number } | undefined>(
  () => undefined,
)
const knownForMs = 30_000

export function forgetBudgets(): void {
  known.current = undefined
}

/** Refuses new work of an account whose budget is used up. Accepted work is done, even if it exceeds the budget. */
export async function refuseOverBudget(env: Env, accountId: string, now: number): Promise<void> {
  const limit = (await budgetsNow(env, now)).get(accountId)
  if (limit === undefined) return
  const { used, resetAt } = await judgeBudget(env, { accountId, limit }, now)
  if (used < limit) return
  const until = resetAt.slice(0, 10)
  const message = `This account has used up its budget of ${sayAmount(limit)} for this month. New videos are accepted again from ${until} (UTC), or when the operator of this service raises the budget.`
  throw new AppError('BudgetExceeded', message, {
    retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(resetAt) - now) / 1000)),
  })
}

async function budgetsNow(env: Env, now: number): Promise<ReadonlyMap<string, number>> {
  const { current } = known
  if (current && now >= current.at && now < current.at + knownForMs) return current.budgets
  const budgets = await readBudgets(env.DB)
  known.current = { budgets, at: now }
  return budgets
}

/** How much of its budget an account has used in this calendar month. */
export async function judgeBudget(
  env: Env,
  { accountId, limit }: { accountId: string; limit: number },
  now: number,
): Promise<NonNullable<UsageRecord['now']['budget']>> {
  const { processorSeconds, resultBytes } = await readSpent(env.DB, accountId, monthOf(now))
  const used = costOf(processorSeconds, resultBytes, readSettings(env).prices)
  const isTight = used >= (limit * tightPercent) / 100
  return { limit, used, isTight, resetAt: nextMonth(now) }
}

/** Such as 2026-11. */
export function monthOf(now: number): string {
  return timestamp(now).slice(0, 7)
}

function nextMonth(now: number): string {
  const at = new Date(now)
  return timestamp(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** The amount in cents, or with three digits if it is less than a cent. */
export function sayAmount(amount: number): string {
  if (amount === 0 || amount >= 1) return amount.toFixed(2)
  if (amount < 0.000001) return 'less than 0.000001'
  return String(Number(amount.toPrecision(3)))
}

import { rowsOf } from './database.ts'
import type { Prices } from '../contract/job/most-of-job.ts'

/** What the accounts that have a budget may spend in a month. */
export async function readBudgets(d1: D1Database): Promise<Map<string, number>> {
  const query = 'SELECT id, budget FROM accounts WHERE budget >= 0'
  const rows = await rowsOf<{ id: string; budget: number }>(d1, query)
  return new Map(rows.map(({ id, budget }) => [id, budget]))
}

type MonthlyUse = { processorSeconds: number; resultBytes: number }

const work = 'measuring_seconds + rendering_seconds + transcribing_seconds + analysing_seconds'

/** What an account has used this month. Days are texts that sort by time, and none of them lies in the future. */
export async function readSpent(
  d1: D1Database,
  accountId: string,
  month: string,
): Promise<MonthlyUse> {
  const query = `SELECT coalesce(sum(${work}), 0) AS processorSeconds, coalesce(sum(result_bytes), 0) AS resultBytes
    FROM usage_days WHERE account_id = ?1 AND day >= ?2`
  const [spent] = await rowsOf<MonthlyUse>(d1, query, accountId, `${month}-01`)
  return spent ?? { processorSeconds: 0, resultBytes: 0 }
}

export type BudgetNews = { accountId: string; name: string | null; budget: number; told: string }

/**
 * Finds the accounts that have used this percentage of their budget this month and have not been told so. Marks them as told in
 * the same statement, so that two sweeps at the same time tell each account once.
 */
export async function takeBudgetNews(
  d1: D1Database,
  { month, percent, prices }: { month: string; percent: number; prices: Prices },
): Promise<BudgetNews[]> {
  const query = `UPDATE accounts SET budget_told = ?1 || ' ' || ?2
    WHERE budget >= 0 AND coalesce(budget_told, '') < ?1 || ' ' || ?2
    AND (SELECT sum(${work}) * ?3 + sum(result_bytes) * ?4 FROM usage_days
      WHERE account_id = accounts.id AND day >= ?1 || '-01') >= budget * ?5
    RETURNING id AS accountId, name, budget, budget_told AS told`
  const { cpuSecond, gigabyte } = prices
  const level = String(percent).padStart(3, '0')
  return rowsOf(d1, query, month, level, cpuSecond, gigabyte / 1e9, percent / 100)
}

/** The mail addresses of an account's owners. */
export async function ownersOf(d1: D1Database, accountId: string): Promise<string[]> {
  const query = `SELECT email FROM people JOIN members ON members.person_id = people.id
    WHERE members.account_id = ?1 AND members.role = 'owner' AND email IS NOT NULL`
  const rows = await rowsOf<{ email: string }>(d1, query, accountId)
  return rows.map(({ email }) => email)
}

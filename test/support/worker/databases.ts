import { allShards } from '../../../worker/service/shards.ts'
import type { Env } from '../../../worker/settings.ts'
import { administer, aClient, type KeyWishes } from './accounts.ts'
import { bindings } from './bindings.ts'
import type { Client } from './client.ts'

/** The environments of all databases that the tests run with. */
export const shards: readonly Env[] = allShards(bindings)

/** A client whose account lives in this database. */
export async function aClientIn(database: number, wishes: KeyWishes = {}): Promise<Client> {
  const { accountId } = await administer<'accounts.create'>({
    command: 'accounts.create',
    rateLimits: wishes.rateLimits ?? '100000/60',
    database,
  })
  return aClient({ ...wishes, accountId })
}

const tablesOfAccounts = [
  'videos',
  'jobs',
  'webhook_events',
  'webhook_deliveries',
  'uploads',
  'presets',
  'webhook_endpoints',
  'usage_days',
  'usage_totals',
  'idempotency_keys',
] as const

/** How many rows each table of each database has of this account; tables without any are left out. */
export async function rowsOf(accountId: string): Promise<Record<string, number>[]> {
  return Promise.all(
    shards.map(async ({ DB }) => {
      const counted = await DB.batch<{ n: number }>(
        tablesOfAccounts.map((table) =>
          DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`).bind(accountId),
        ),
      )
      const counts = counted.map(({ results }, i) => [tablesOfAccounts[i], results[0]?.n ?? 0])
      return Object.fromEntries(counts.filter(([, n]) => n !== 0)) as Record<string, number>
    }),
  )
}

import { sql } from 'drizzle-orm'
import { callStorage, openDatabase } from './database.ts'
import type { AccountDatabase, HomeDatabase } from './databases.ts'
import { mayChange } from './places.ts'

/** The tables whose rows end by themselves, at their `expires_at`. */
export type ExpiringTable =
  'idempotency_keys' | 'admin_nonces' | 'sessions' | 'attempts' | 'invitations' | 'one_time_tokens'

/** Only the Idempotency-Keys are with what accounts make. */
type Keeper<Table extends ExpiringTable> = Table extends 'idempotency_keys'
  ? AccountDatabase
  : HomeDatabase

/** For the sweep: deletes expired rows, up to `limit` at a time. */
export async function forgetExpired<Table extends ExpiringTable>(
  d1: Keeper<Table>,
  table: Table,
  { now, limit }: { now: number; limit: number },
): Promise<void> {
  const name = sql.identifier(table)
  const unlessClosed =
    table === 'idempotency_keys' ? sql` and ${mayChange('idempotency_keys.account_id')}` : sql``
  await callStorage(() =>
    openDatabase(d1).run(
      sql`delete from ${name} where rowid in
          (select rowid from ${name} where expires_at <= ${now}${unlessClosed} limit ${limit})`,
    ),
  )
}

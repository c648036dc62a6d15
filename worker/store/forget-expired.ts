import { sql } from 'drizzle-orm'
import { query } from './database.ts'

/** The tables whose rows end by themselves, at their `expires_at`. */
export type ExpiringTable =
  | 'idempotency_keys'
  | 'batches'
  | 'admin_nonces'
  | 'sessions'
  | 'attempts'
  | 'invitations'
  | 'one_time_tokens'

/** For the sweep: deletes expired rows, up to `limit` at a time. */
export async function forgetExpired(
  d1: D1Database,
  table: ExpiringTable,
  { now, limit }: { now: number; limit: number },
): Promise<void> {
  const name = sql.identifier(table)
  await query(d1, (db) =>
    db.run(
      sql`delete from ${name} where rowid in
          (select rowid from ${name} where expires_at <= ${now} limit ${limit})`,
    ),
  )
}

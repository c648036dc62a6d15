import { callStorage } from './database.ts'

/** The tables whose rows end by themselves, at their `expires_at`. */
const tables = [
  ...['idempotency_keys', 'batches', 'admin_nonces', 'sessions', 'attempts', 'invitations'],
  'one_time_tokens',
]
const rowsAtOnce = 5000

/** For the sweep: deletes rows that have expired, some of each table. */
export async function forgetExpired(d1: D1Database, now: number): Promise<void> {
  const statements = tables.map((table) =>
    d1
      .prepare(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ?1 LIMIT ?2)`,
      )
      .bind(now, rowsAtOnce),
  )
  await callStorage(async () => d1.batch(statements), forgetExpired)
}

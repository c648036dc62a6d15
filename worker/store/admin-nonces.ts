import { sql } from 'drizzle-orm'
import { callStorage, openDatabase, tableOfTakenKey } from './database.ts'
import { adminNonces } from './tables.ts'

/** Returns false if this nonce was used before. */
export async function useAdminNonce(
  d1: D1Database,
  nonce: string,
  expiresAt: number,
): Promise<boolean> {
  return callStorage(async () => {
    try {
      await openDatabase(d1).insert(adminNonces).values({ nonce, expiresAt }).run()
      return true
    } catch (error) {
      if (tableOfTakenKey(error) === 'admin_nonces') return false
      throw error
    }
  })
}

/** For the sweep: deletes nonces whose signatures have expired, up to `limit` at a time. */
export async function forgetAdminNonces(d1: D1Database, now: number, limit: number): Promise<void> {
  await callStorage(() =>
    openDatabase(d1).run(
      sql`delete from admin_nonces where rowid in
          (select rowid from admin_nonces where expires_at <= ${now} limit ${limit})`,
    ),
  )
}

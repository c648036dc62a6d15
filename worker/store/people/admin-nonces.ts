import { callStorage, openDatabase, tableOfTakenKey } from '../database.ts'
import { adminNonces } from '../tables/tables.ts'

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

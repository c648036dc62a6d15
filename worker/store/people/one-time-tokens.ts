import { and, eq, gt } from 'drizzle-orm'
import { query, tableOfTakenKey } from '../database.ts'
import { change, findOne, type Given } from '../statement.ts'
import { oneTimeTokens, type TokenPurpose, type TokenRow } from '../tables/people-tables.ts'
import { adminNonces } from '../tables/tables.ts'

export const insertToken = change((db, token: Given<TokenRow>) =>
  db.insert(oneTimeTokens).values(token),
)

type Named = { tokenHash: string; purpose: TokenPurpose; now: number }

function isGood({ tokenHash, purpose, now }: Given<Named>) {
  return and(
    eq(oneTimeTokens.tokenHash, tokenHash),
    eq(oneTimeTokens.purpose, purpose),
    gt(oneTimeTokens.expiresAt, now),
  )
}

/** Looks at a token without using it up. */
export const findToken = findOne((db, named: Given<Named>) =>
  db.select().from(oneTimeTokens).where(isGood(named)),
)

/** Uses the token up: of two requests with the same one, only one gets the row. */
export const takeToken = findOne((db, named: Given<Named>) =>
  db.delete(oneTimeTokens).where(isGood(named)).returning(),
)

/** Returns false if this nonce was used before. */
export async function useAdminNonce(d1: D1Database, nonce: string, expiresAt: number) {
  return query(d1, async (db) => {
    try {
      await db.insert(adminNonces).values({ nonce, expiresAt })
      return true
    } catch (error) {
      if (tableOfTakenKey(error) === 'admin_nonces') return false
      throw error
    }
  })
}

import { and, eq, gt } from 'drizzle-orm'
import { callStorage, openDatabase, tableOfTakenKey } from '../database.ts'
import { oneTimeTokens, type TokenPurpose, type TokenRow } from '../tables/people-tables.ts'
import { adminNonces } from '../tables/tables.ts'

export async function insertToken(d1: D1Database, token: TokenRow): Promise<void> {
  await callStorage(() => openDatabase(d1).insert(oneTimeTokens).values(token).run())
}

type Named = { tokenHash: string; purpose: TokenPurpose; now: number }

function isGood({ tokenHash, purpose, now }: Named) {
  return and(
    eq(oneTimeTokens.tokenHash, tokenHash),
    eq(oneTimeTokens.purpose, purpose),
    gt(oneTimeTokens.expiresAt, now),
  )
}

/** Looks at a token without using it up. */
export async function findToken(d1: D1Database, named: Named): Promise<TokenRow | undefined> {
  return callStorage(() => openDatabase(d1).select().from(oneTimeTokens).where(isGood(named)).get())
}

/** Uses the token up: of two requests with the same one, only one gets the row. */
export async function takeToken(d1: D1Database, named: Named): Promise<TokenRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).delete(oneTimeTokens).where(isGood(named)).returning().get(),
  )
}

/** Returns false if this nonce was used before. */
export async function useAdminNonce(d1: D1Database, nonce: string, expiresAt: number) {
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

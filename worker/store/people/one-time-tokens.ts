import { and, eq, gt } from 'drizzle-orm'
import { hashSecret, mintToken } from '../../contract/people/secret-token.ts'
import { query, tableOfTakenKey } from '../database.ts'
import { change, findOne, type Given } from '../statement.ts'
import { oneTimeTokens, type TokenPurpose, type TokenRow } from '../tables/people-tables.ts'
import { adminNonces } from '../tables/tables.ts'

const insertToken = change((db, token: Given<TokenRow>) => db.insert(oneTimeTokens).values(token))

const lifetimeMs = 3_600_000

/** A new token, which is good once and for an hour. */
export async function makeToken(
  d1: D1Database,
  what: Pick<TokenRow, 'purpose' | 'personId' | 'details'>,
  createdAt = Date.now(),
): Promise<{ token: string; expiresAt: number }> {
  const [token, expiresAt] = [mintToken(), createdAt + lifetimeMs]
  await insertToken(d1, { ...what, tokenHash: await hashSecret(token), createdAt, expiresAt })
  return { token, expiresAt }
}

type TokenUse = { tokenHash: string; purpose: TokenPurpose; now: number }

function isGood({ tokenHash, purpose, now }: Given<TokenUse>) {
  return and(
    eq(oneTimeTokens.tokenHash, tokenHash),
    eq(oneTimeTokens.purpose, purpose),
    gt(oneTimeTokens.expiresAt, now),
  )
}

/** Looks at a token without using it up. */
export const findToken = findOne((db, named: Given<TokenUse>) =>
  db.select().from(oneTimeTokens).where(isGood(named)),
)

/** Uses the token up: of two requests with the same one, only one gets the row. */
export const takeToken = findOne((db, named: Given<TokenUse>) =>
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

import { hashApiKey, keyHint, mintApiKey, scopes, type Scope } from '../contract/people/api-key.ts'
import { AppError, invalidRequest } from '../contract/answers/errors.ts'
import { mintId } from '../contract/ids.ts'
import type { CreateKey, IssuedKey, KeyRecord } from '../contract/people/key-record.ts'
import { keysPerAccount } from '../contract/limits.ts'
import { parseRateLimits } from '../contract/rate-windows.ts'
import { keyGate } from '../durable/key-gate.ts'
import { keysWorth } from '../service/limits/rate-lane.ts'
import { timestamp, timestampOrNull } from '../service/videos/describe-video.ts'
import type { Env } from '../settings.ts'
import { findAccount } from '../store/people/accounts.ts'
import {
  insertApiKey,
  listKeyHashes,
  markRevoked,
  type ApiKeyRow,
} from '../store/people/api-keys.ts'

/** Writes the key to D1, then tells its gate, which is what lets requests in. */
export async function issueKey(
  env: Env,
  wish: CreateKey & { accountId: string },
  now: number,
): Promise<IssuedKey> {
  const account = await findAccount(env.DB, wish.accountId)
  if (!account) throw new AppError('NotFound', `There is no account ${wish.accountId}.`)
  const apiKey = mintApiKey()
  const row: ApiKeyRow = {
    id: mintId('k'),
    accountId: account.id,
    name: wish.name ?? null,
    hash: await hashApiKey(apiKey),
    hint: keyHint(apiKey),
    scopes: wish.scopes,
    createdAt: now,
    expiresAt: readEnd(wish, now),
    revokedAt: null,
    lastUsedAt: null,
  }
  if (!(await insertApiKey(env.DB, row, keysPerAccount))) {
    const message = `The account has ${keysPerAccount} API keys already; revoke one that is no longer needed.`
    throw new AppError('Conflict', message)
  }
  const isOneOfMany = await countTogetherFromNow(env, account.id)
  await keyGate(env, row.hash).enroll({
    isOneOfMany,
    keyId: row.id,
    accountId: account.id,
    scopes: wish.scopes,
    expiresAt: row.expiresAt,
    revokedAt: null,
    rateLimits: account.rateLimits === null ? null : parseRateLimits(account.rateLimits),
  })
  return { apiKey, ...describeKey(row) }
}

/** Whether the account now has enough keys that their requests are counted together; then the gates of its first keys are told. */
async function countTogetherFromNow(env: Env, accountId: string): Promise<boolean> {
  const most = 2 * keysWorth
  const hashes = await listKeyHashes(env.DB, accountId, most + 1)
  if (hashes.length <= keysWorth) return false
  // Keys that are made later are told when they are issued.
  const first = hashes.length <= most ? hashes : []
  await Promise.all(first.map(async (hash) => keyGate(env, hash).joinMany()))
  return true
}

function readEnd({ expiresAt }: CreateKey, now: number): number | null {
  if (expiresAt === undefined) return null
  const at = Date.parse(expiresAt)
  if (at > now) return at
  throw invalidRequest([{ field: 'expiresAt', message: 'Must be in the future' }])
}

/** The time from which the key is refused. */
export async function revokeKey(env: Env, key: ApiKeyRow, now: number): Promise<number> {
  const at = key.revokedAt ?? now
  if (key.revokedAt === null) await markRevoked(env.DB, key.id, at)
  // The gate is told even when the row says revoked: an earlier request may have failed in between.
  await keyGate(env, key.hash).revoke(at)
  return at
}

/** What a key may do and until when, without the key itself. */
export function describeKey(row: ApiKeyRow): KeyRecord {
  return {
    keyId: row.id,
    name: row.name,
    hint: row.hint,
    scopes: knownScopes(row),
    createdAt: timestamp(row.createdAt),
    expiresAt: timestampOrNull(row.expiresAt),
    lastUsedAt: timestampOrNull(row.lastUsedAt),
    revokedAt: timestampOrNull(row.revokedAt),
  }
}

function knownScopes(row: ApiKeyRow): Scope[] {
  const known: readonly string[] = scopes
  return row.scopes.filter((scope): scope is Scope => known.includes(scope))
}

import type { AdminAnswer } from '../contract/admin.ts'
import { AppError } from '../contract/errors.ts'
import { mintId } from '../contract/ids.ts'
import { hashSecret, mintToken } from '../contract/secret-token.ts'
import { timestamp } from '../service/describe-video.ts'
import { readSettings, type Env } from '../settings.ts'
import { findAccount } from '../store/accounts.ts'
import { insertToken } from '../store/one-time-tokens.ts'
import { findFirstOwner, insertFirstOwner } from '../store/people.ts'

/** How long the link works if nobody opens it. */
const linkLifetimeMs = 3_600_000

/** A link that signs the first owner of the account in, once. An account without an owner gets one. */
export async function linkOwner(
  env: Env,
  accountId: string,
  now: number,
): Promise<AdminAnswer<'people.link'>> {
  const account = await findAccount(env.DB, accountId)
  if (!account) throw new AppError('NotFound', `There is no account ${accountId}.`)
  await insertFirstOwner(env.DB, { id: mintId('p'), accountId, createdAt: now })
  const owner = await findFirstOwner(env.DB, accountId)
  if (!owner) throw new AppError('Conflict', `The owner of ${accountId} was just removed.`)
  const token = mintToken()
  const expiresAt = now + linkLifetimeMs
  await insertToken(env.DB, {
    tokenHash: await hashSecret(token),
    purpose: 'sign-in',
    personId: owner.id,
    details: { accountId },
    createdAt: now,
    expiresAt,
  })
  const url = `${readSettings(env).baseUrl}/app/link/${token}`
  return { url, expiresAt: timestamp(expiresAt) }
}

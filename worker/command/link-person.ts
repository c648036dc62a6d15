import type { AdminAnswer } from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { mintId } from '../contract/ids.ts'
import { hashSecret, mintToken } from '../contract/people/secret-token.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { readSettings, type Env } from '../settings.ts'
import { findAccount } from '../store/people/accounts.ts'
import { listMembers } from '../store/people/members.ts'
import { insertToken } from '../store/people/one-time-tokens.ts'
import { findFirstOwner, insertFirstOwner } from '../store/people/people.ts'

/** How long the link works if nobody opens it. */
const linkLifetimeMs = 3_600_000

type LinkRequest = { accountId: string; email?: string | undefined }

/** A link that signs a person of the account in, once: who has the address, or else the first owner. */
export async function linkPerson(
  env: Env,
  { accountId, email }: LinkRequest,
  now: number,
): Promise<AdminAnswer<'people.link'>> {
  const account = await findAccount(env.DB, accountId)
  if (!account) throw new AppError('NotFound', `There is no account ${accountId}.`)
  const personId =
    email === undefined
      ? await firstOwner(env, accountId, now)
      : await memberWith(env, accountId, email)
  const token = mintToken()
  const expiresAt = now + linkLifetimeMs
  await insertToken(env.DB, {
    tokenHash: await hashSecret(token),
    purpose: 'sign-in',
    personId,
    details: { accountId },
    createdAt: now,
    expiresAt,
  })
  const url = `${readSettings(env).baseUrl}/app/link/${token}`
  return { url, expiresAt: timestamp(expiresAt) }
}

/** An account without an owner gets one. */
async function firstOwner(env: Env, accountId: string, now: number): Promise<string> {
  await insertFirstOwner(env.DB, { id: mintId('p'), accountId, createdAt: now })
  const owner = await findFirstOwner(env.DB, accountId)
  if (!owner) throw new AppError('Conflict', `The owner of ${accountId} was just removed.`)
  return owner.id
}

async function memberWith(env: Env, accountId: string, email: string): Promise<string> {
  const members = await listMembers(env.DB, accountId)
  const member = members.find((one) => one.email === email)
  if (!member) throw new AppError('NotFound', `Nobody in ${accountId} has the address ${email}.`)
  return member.personId
}

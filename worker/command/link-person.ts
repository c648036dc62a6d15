import type { AdminAnswer } from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { mintId } from '../contract/ids.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { readSettings, type Env } from '../settings.ts'
import { findAccount } from '../store/people/accounts.ts'
import { listMembers } from '../store/people/members.ts'
import { makeToken } from '../store/people/one-time-tokens.ts'
import { findFirstOwner, insertFirstOwner } from '../store/people/people.ts'

type LinkRequest = { accountId: string; email?: string | undefined }

/** A link that signs a person in once: the person with this address, or else the first owner of the account. */
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
  const asked = { purpose: 'sign-in', personId, details: { accountId } } as const
  const { token, expiresAt } = await makeToken(env.DB, asked, now)
  const url = `${readSettings(env).baseUrl}/app/link/${token}`
  return { url, expiresAt: timestamp(expiresAt) }
}

/** The first owner of the account; an account without an owner gets one. */
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

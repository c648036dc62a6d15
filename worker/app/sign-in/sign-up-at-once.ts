import type { Context } from 'hono'
import { newAccount } from '../../command/administer-accounts.ts'
import { mintId } from '../../contract/ids.ts'
import type { SignUp } from '../../contract/people/people.ts'
import { mintToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import { findHome, findPersonByEmail, insertPersonWithAccount } from '../../store/people/people.ts'
import type { PersonRow } from '../../store/tables/people-tables.ts'
import { pretendToRemember } from '../session/known-browser.ts'
import { safeNext } from '../session/safe-next.ts'
import { setSessionCookie, sessionTimes } from '../session/session-cookie.ts'
import { startSession } from '../session/start-session.ts'
import { checkPassword } from './check-password.ts'
import { withNext } from './fields.tsx'

/**
 * Signs up where no mail can confirm the address. A known address with its own password signs in; with another password the
 * answer is the same as for a new account, down to its cookies, which are worthless.
 */
export async function signUpAtOnce(c: Context<AppEnv>, wish: SignUp): Promise<Response> {
  const known = await findPersonByEmail(c.env.DB, wish.email)
  const entered = known ? await enter(c, wish) : await makePerson(c, wish)
  if (entered) await startSession(c, entered)
  else await giveEmptyCookies(c)
  return welcome(c, wish.next)
}

/** Redirects to the page that tells success from failure, which only knows whether a session exists. */
export function welcome(c: Context<AppEnv>, next: string | undefined): Response {
  return c.redirect(withNext('/app/welcome', safeNext(next)), 303)
}

export async function giveEmptyCookies(c: Context<AppEnv>): Promise<void> {
  setSessionCookie(c, mintToken(), sessionTimes.idleMs)
  await pretendToRemember(c)
}

type NewOwner = { personId: string; accountId: string }

async function enter(
  c: Context<AppEnv>,
  { email, password }: SignUp,
): Promise<NewOwner | undefined> {
  const person = await checkPassword(c, email, password)
  if (!person) return undefined
  const accountId = await findHome(c.env.DB, person.id)
  return accountId === undefined ? undefined : { personId: person.id, accountId }
}

async function makePerson(
  c: Context<AppEnv>,
  { email, password, name }: SignUp,
): Promise<NewOwner | undefined> {
  const passwordHash = await hashPassword(password)
  return storeNewPerson(c, { email, name: name ?? null, passwordHash })
}

/** Stores the person with an account of their own; undefined if another request with the address was faster. */
export async function storeNewPerson(
  c: Context<AppEnv>,
  who: Pick<PersonRow, 'email' | 'name' | 'passwordHash'>,
): Promise<NewOwner | undefined> {
  const now = Date.now()
  const account = newAccount({ name: who.name ?? who.email ?? undefined }, now)
  const person = { ...who, id: mintId('p'), accountId: account.id, createdAt: now }
  const isStored = await insertPersonWithAccount(c.env.DB, person, account)
  return isStored ? { personId: person.id, accountId: account.id } : undefined
}

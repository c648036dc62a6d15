import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { mintId } from '../../contract/ids.ts'
import type { SignUp } from '../../contract/people/people.ts'
import { hashSecret, looksLikeToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import {
  acceptInvitation,
  findInvitation,
  type OpenInvitation,
} from '../../store/people/invitations.ts'
import { findPersonByEmail, insertInvitedPerson, updatePerson } from '../../store/people/people.ts'
import { Button } from '../design/button.tsx'
import { memberOf } from '../session/require-member.ts'
import { home } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'
import { checkPassword } from './check-password.ts'
import { giveEmptyCookies, welcome } from './sign-up-at-once.ts'
import { showSignInPage } from './sign-in-layout.tsx'
import { showSignUpForm } from './sign-up-form.tsx'

/** The invitation that a token opens, if nobody has accepted or withdrawn it. */
export async function openInvitation(
  c: Context<AppEnv>,
  token: string | undefined,
): Promise<OpenInvitation | undefined> {
  if (token === undefined || !looksLikeToken(token)) return undefined
  return findInvitation(c.env.DB, await hashSecret(token), Date.now())
}

/** GET /app/invitations/{token} */
export async function showInvitation(c: Context<AppEnv>): Promise<Response> {
  const token = c.req.param('token') ?? ''
  const invitation = await openInvitation(c, token)
  if (!invitation) throw gone()
  const { email, accountName, role } = invitation
  const member = c.get('member')
  if (!member) {
    const fields = { invitation: token, next: `/app/invitations/${token}` }
    return showSignUpForm(c, { fields, invited: { email, accountName } })
  }
  const children = (
    <form method="post">
      <p>
        You are signed in as <strong dir="auto">{member.name}</strong>. You join as {role}, and can
        switch between your accounts in the settings.
      </p>
      <Button look="primary">Join</Button>
    </form>
  )
  return showSignInPage(c, { title: `Join ${accountName ?? 'the account'}`, children })
}

/** POST /app/invitations/{token} */
export async function joinAccount(c: Context<AppEnv>): Promise<Response> {
  const { personId } = memberOf(c)
  const invitation = await openInvitation(c, c.req.param('token'))
  if (!invitation || !(await accept(c, invitation, personId))) throw gone()
  return c.redirect(home, 303)
}

async function accept(
  c: Context<AppEnv>,
  { tokenHash, accountId }: OpenInvitation,
  personId: string,
): Promise<boolean> {
  const isIn = await acceptInvitation(c.env.DB, { tokenHash, personId, now: Date.now() })
  if (!isIn) return false
  await updatePerson(c.env.DB, personId, { accountId })
  await startSession(c, { personId, accountId })
  return true
}

/** Signs up with an invitation, whose mail or sender vouches for the address; the answer is that of any other sign-up. */
export async function signUpInvited(
  c: Context<AppEnv>,
  { email, password, name }: SignUp,
  invitation: OpenInvitation,
): Promise<Response> {
  const known = await findPersonByEmail(c.env.DB, email)
  if (known) {
    const person = await checkPassword(c, email, password)
    if (person && (await accept(c, invitation, person.id))) return welcome(c, home)
  } else {
    const { tokenHash, accountId } = invitation
    const passwordHash = await hashPassword(password)
    const createdAt = Date.now()
    const person = {
      id: mintId('p'),
      email,
      name: name ?? null,
      passwordHash,
      accountId,
      createdAt,
    }
    if (await insertInvitedPerson(c.env.DB, person, tokenHash)) {
      await startSession(c, { personId: person.id, accountId })
      return welcome(c, home)
    }
  }
  await giveEmptyCookies(c)
  return welcome(c, home)
}

function gone(): AppError {
  const message =
    'This invitation has been accepted or withdrawn, or has expired. Ask an owner of the account for a new one.'
  return new AppError('NotFound', message)
}

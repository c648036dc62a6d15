import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { AppError } from '../../contract/answers/errors.ts'
import { signInLimits } from '../../contract/limits.ts'
import { confirmSignUpForm, type askSignUpForm } from '../../contract/people/people.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import { sendMail } from '../../service/send-mail.ts'
import { readSettings } from '../../settings.ts'
import { findToken, makeToken, takeToken } from '../../store/people/one-time-tokens.ts'
import { findPersonByEmail } from '../../store/people/people.ts'
import type { TokenRow } from '../../store/tables/people-tables.ts'
import { Button } from '../design/button.tsx'
import {
  checkFields,
  readFields,
  type FormFaults,
  type EnteredFields,
} from '../session/read-form.ts'
import { safeNext } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'
import { limitAtAddress } from './check-password.ts'
import { storeNewPerson, welcome } from './sign-up-at-once.ts'
import { SignUpFields } from './fields.tsx'
import { showSignInPage } from './sign-in-layout.tsx'

/**
 * Mails a link that finishes the sign-up. Nothing is created before the link is opened, and a request with a known address gets
 * the same answer: only the owner of the address learns of it, by mail. Because anyone can ask, nothing they enter is kept: the
 * reader of the mail chooses name and password.
 */
export async function askToConfirm(
  c: Context<AppEnv>,
  { email, next }: z.infer<typeof askSignUpForm>,
): Promise<Response> {
  const { baseUrl } = readSettings(c.env)
  const known = await findPersonByEmail(c.env.DB, email)
  const limits = signInLimits.signUps
  await limitAtAddress(c, { what: 'sign-up', email, person: known, limits })
  const details = { email, next: safeNext(next) }
  // A token is made for a known address too, although its mail does not contain it, so that both take the same steps.
  const { token } = await makeToken(c.env.DB, { purpose: 'sign-up', personId: null, details })
  const text = known
    ? `Someone tried to create a Spool account with this address, which already has one.\n\nSign in: ${baseUrl}/app/sign-in\nForgot your password: ${baseUrl}/app/reset\n`
    : `Open this link within an hour to finish creating your Spool account:\n\n${baseUrl}/app/sign-up/${token}\n\nIf you did not ask for this, you can ignore this e-mail. No account has been created.\n`
  c.executionCtx.waitUntil(sendMail(c.env, { to: email, subject: 'Your Spool account', text }))
  const children = (
    <p>
      We have sent a link to <strong dir="auto">{email}</strong>. Open it within an hour to finish.
      If no mail arrives, look in the spam folder.
    </p>
  )
  return showSignInPage(c, { title: 'Check your mail', children })
}

/** GET /app/sign-up/{token}: asks for a click, because programs that scan mails open every link. */
export async function showConfirm(c: Context<AppEnv>): Promise<Response> {
  const found = await findToken(c.env.DB, await named(c))
  if (!found) throw gone()
  return showConfirmForm(c, found, {})
}

async function showConfirmForm(
  c: Context<AppEnv>,
  { details }: TokenRow,
  { fields = {}, faults = {} }: { fields?: EnteredFields; faults?: FormFaults },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const children = (
    <form method="post">
      <SignUpFields fields={fields} faults={faults} fixedEmail={details['email'] ?? undefined} />
      <Button look="primary">Create account</Button>
    </form>
  )
  return showSignInPage(c, { title: 'Finish your account', children }, status)
}

/** POST /app/sign-up/{token} */
export async function confirmSignUp(c: Context<AppEnv>): Promise<Response> {
  // The token is checked first, so that requests with a wrong one cost no hashing.
  const found = await findToken(c.env.DB, await named(c))
  const email = found?.details['email']
  if (!found || !email) throw gone()
  const form = checkFields({ ...(await readFields(c)), email }, confirmSignUpForm)
  if (!form.ok) return showConfirmForm(c, found, form, 400)
  const { name = null, password } = form.value
  const passwordHash = await hashPassword(password)
  if (!(await takeToken(c.env.DB, await named(c)))) throw gone()
  const entered = await storeNewPerson(c, { email, name, passwordHash })
  if (entered) await startSession(c, entered)
  return welcome(c, found.details['next'] ?? undefined)
}

async function named(c: Context<AppEnv>) {
  const tokenHash = await hashSecret(c.req.param('token') ?? '')
  return { tokenHash, purpose: 'sign-up', now: Date.now() } as const
}

function gone(): AppError {
  const message = 'This link has been used or has expired. Sign up again to get a new one.'
  return new AppError('NotFound', message)
}

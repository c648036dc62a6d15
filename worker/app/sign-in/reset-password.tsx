import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { AppError } from '../../contract/answers/errors.ts'
import { signInLimits } from '../../contract/limits.ts'
import { askResetForm, resetForm } from '../../contract/people/people.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import { mailMode, sendMail } from '../../service/send-mail.ts'
import { readSettings } from '../../settings.ts'
import { findToken, makeToken } from '../../store/people/one-time-tokens.ts'
import { findHome, findPersonByEmail, resetPassword } from '../../store/people/people.ts'
import { Button } from '../design/button.tsx'
import { EmailField, NewPasswordField } from './fields.tsx'
import { inConstantTime } from '../session/constant-time.ts'
import { readCheckedForm, type FormFaults, type EnteredFields } from '../session/read-form.ts'
import { home } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'
import { limitAtAddress } from './check-password.ts'
import { showSignInPage } from './sign-in-layout.tsx'

/** GET /app/reset */
export async function showAskReset(
  c: Context<AppEnv>,
  { fields = {}, faults = {} }: { fields?: EnteredFields; faults?: FormFaults } = {},
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const title = 'Choose a new password'
  if (mailMode(c.env) === 'off') {
    const text =
      'This service cannot send e-mail. Ask its operator for a sign-in link, then change your password in the settings.'
    return showSignInPage(c, { title, children: <p>{text}</p> }, status)
  }
  const children = (
    <form method="post" action="/app/reset">
      <EmailField
        value={fields['email']}
        error={faults['email']}
        hint="A link to choose a new password is sent there."
      />
      <Button look="primary">Send the link</Button>
    </form>
  )
  return showSignInPage(c, { title, children }, status)
}

/** POST /app/reset: the answer is the same whether or not the address has an account. */
export async function askReset(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, askResetForm)
  if (!form.ok) return showAskReset(c, { fields: form.fields, faults: form.faults }, 400)
  const { email } = form.value
  return inConstantTime(async () => {
    const person = await findPersonByEmail(c.env.DB, email)
    await limitAtAddress(c, { what: 'reset', email, person, limits: signInLimits.resets })
    if (person) await sendLink(c, person.id, email)
    const children = (
      <p>
        If <strong dir="auto">{email}</strong> has an account, a link is on its way. It works once,
        within an hour.
      </p>
    )
    return showSignInPage(c, { title: 'Check your mail', children })
  })
}

async function sendLink(c: Context<AppEnv>, personId: string, email: string): Promise<void> {
  if (mailMode(c.env) === 'off') return
  const { token } = await makeToken(c.env.DB, { purpose: 'reset', personId, details: {} })
  const text = `Open this link within an hour to choose a new password:\n\n${readSettings(c.env).baseUrl}/app/reset/${token}\n\nIf you did not ask for this, you can ignore this e-mail. Your password has not changed.\n`
  c.executionCtx.waitUntil(
    sendMail(c.env, { to: email, subject: 'Reset your Spool password', text }),
  )
}

/** GET /app/reset/{token} */
export async function showReset(c: Context<AppEnv>): Promise<Response> {
  const tokenHash = await hashSecret(c.req.param('token') ?? '')
  const found = await findToken(c.env.DB, { tokenHash, purpose: 'reset', now: Date.now() })
  if (!found) throw gone()
  return showResetForm(c, {})
}

async function showResetForm(
  c: Context<AppEnv>,
  faults: FormFaults,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const children = (
    <form method="post">
      <NewPasswordField error={faults['password']} hint="You will be signed out everywhere else." />
      <Button look="primary">Change password</Button>
    </form>
  )
  return showSignInPage(c, { title: 'Choose a new password', children }, status)
}

/** POST /app/reset/{token}: signs in, and ends every other session. */
export async function reset(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, resetForm)
  if (!form.ok) return showResetForm(c, form.faults, 400)
  const now = Date.now()
  const tokenHash = await hashSecret(c.req.param('token') ?? '')
  // The token is checked first, so that requests with a wrong one cost no hashing.
  if (!(await findToken(c.env.DB, { tokenHash, purpose: 'reset', now }))) throw gone()
  const passwordHash = await hashPassword(form.value.password)
  const person = await resetPassword(c.env.DB, { tokenHash, passwordHash, now })
  if (!person) throw gone()
  const accountId = await findHome(c.env.DB, person.id)
  if (accountId === undefined) return c.redirect('/app/sign-in', 303)
  await startSession(c, { personId: person.id, accountId })
  return c.redirect(home, 303)
}

function gone(): AppError {
  const message = 'This link has been used or has expired. Ask for a new one at /app/reset.'
  return new AppError('NotFound', message)
}

import type { Context } from 'hono'
import { AppError } from '../../contract/errors.ts'
import type { SignUp } from '../../contract/people.ts'
import { hashSecret, mintToken } from '../../contract/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import { sendMail } from '../../service/send-mail.ts'
import { readSettings } from '../../settings.ts'
import { findToken, insertToken, takeToken } from '../../store/one-time-tokens.ts'
import { findPersonByEmail } from '../../store/people.ts'
import { Button } from '../design/button.tsx'
import { safeNext } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'
import { settleIn, welcome } from './sign-up-at-once.ts'
import { showSignInPage } from './sign-in-layout.tsx'

const linkLifetimeMs = 3_600_000

/**
 * Sends a link that finishes the sign-up. Nothing is made before somebody opens it, and who asks for a known address is
 * answered the same: only the owner of the address learns of it, by mail.
 */
export async function askToConfirm(c: Context<AppEnv>, wish: SignUp): Promise<Response> {
  const { email, password, name } = wish
  const { baseUrl } = readSettings(c.env)
  const known = await findPersonByEmail(c.env.DB, email)
  const token = mintToken()
  const now = Date.now()
  const passwordHash = await hashPassword(password)
  // Written for a known address too, for an hour: both take the same steps.
  await insertToken(c.env.DB, {
    tokenHash: await hashSecret(known ? mintToken() : token),
    purpose: 'sign-up',
    personId: null,
    details: { email, name: name ?? null, passwordHash, next: safeNext(wish.next) },
    createdAt: now,
    expiresAt: now + linkLifetimeMs,
  })
  const text = known
    ? `Somebody asked for a Spool account with this address, which has one already.\n\nSign in: ${baseUrl}/app/sign-in\nForgot the password: ${baseUrl}/app/reset\n`
    : `Finish your Spool account within an hour:\n\n${baseUrl}/app/sign-up/${token}\n\nIf you did not ask for it, leave this mail alone: nothing has been made.\n`
  c.executionCtx.waitUntil(sendMail(c.env, { to: email, subject: 'Your Spool account', text }))
  const children = (
    <p>
      We have sent a link to <strong dir="auto">{email}</strong>. Open it within an hour to finish.
      If no mail arrives, look in the spam folder.
    </p>
  )
  return showSignInPage(c, { title: 'Check your mail', children })
}

/** GET /app/sign-up/{token}: asks, because programs that look through mails open every link. */
export async function showConfirm(c: Context<AppEnv>): Promise<Response> {
  const found = await findToken(c.env.DB, await named(c))
  if (!found) throw gone()
  const children = (
    <form method="post">
      <p>
        This makes an account for <strong dir="auto">{found.details['email']}</strong>.
      </p>
      <Button look="primary">Create account</Button>
    </form>
  )
  return showSignInPage(c, { title: 'Finish your account', children })
}

/** POST /app/sign-up/{token} */
export async function confirmSignUp(c: Context<AppEnv>): Promise<Response> {
  const taken = await takeToken(c.env.DB, await named(c))
  if (!taken) throw gone()
  const { email = null, name = null, passwordHash = null, next } = taken.details
  const entered = await settleIn(c, { email, name, passwordHash })
  if (entered) await startSession(c, entered)
  return welcome(c, next ?? undefined)
}

async function named(c: Context<AppEnv>) {
  const tokenHash = await hashSecret(c.req.param('token') ?? '')
  return { tokenHash, purpose: 'sign-up', now: Date.now() } as const
}

function gone(): AppError {
  const message = 'This link was used already, or its hour is over. Sign up again to get another.'
  return new AppError('NotFound', message)
}

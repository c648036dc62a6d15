import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { signInForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'
import { findHome } from '../../store/people/people.ts'
import { Button } from '../design/button.tsx'
import { EmailField, HiddenNext, PresentPasswordField, withNext } from './fields.tsx'
import { inConstantTime } from '../session/constant-time.ts'
import { readCheckedForm, type FormFaults, type EnteredFields } from '../session/read-form.ts'
import { safeNext, home } from '../session/safe-next.ts'
import { endSession, startSession } from '../session/start-session.ts'
import { checkPassword } from './check-password.ts'
import { showSignInPage, type SignInNotes } from './sign-in-layout.tsx'
import { AppError } from '../../contract/answers/errors.ts'
import { hashSecret, looksLikeToken } from '../../contract/people/secret-token.ts'
import { takeToken } from '../../store/people/one-time-tokens.ts'

type SignInProps = SignInNotes & { fields?: EnteredFields; faults?: FormFaults }

/** GET /app/sign-in */
export async function showSignIn(c: Context<AppEnv>): Promise<Response> {
  const next = c.req.query('next')
  if (c.get('member')) return c.redirect(safeNext(next), 303)
  return showSignInForm(c, next === undefined ? {} : { fields: { next } })
}

/** POST /app/sign-in */
export async function signIn(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, signInForm)
  const { fields } = form
  if (!form.ok) return showSignInForm(c, { fields, faults: form.faults }, 400)
  const { email, password, next } = form.value
  return inConstantTime(async () => {
    const person = await checkPassword(c, email, password)
    if (!person) {
      const alert = 'The e-mail address or the password is wrong.'
      return showSignInForm(c, { fields, alert }, 401)
    }
    const accountId = await findHome(c.env.DB, person.id)
    if (accountId === undefined) {
      const alert = 'You no longer belong to an account. Ask the owner of an account to invite you.'
      return showSignInForm(c, { fields, alert }, 403)
    }
    await startSession(c, { personId: person.id, accountId })
    return c.redirect(safeNext(next), 303)
  })
}

async function showSignInForm(
  c: Context<AppEnv>,
  { fields = {}, faults = {}, ...notes }: SignInProps,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const next = safeNext(fields['next'])
  const { signUp } = readSettings(c.env)
  const children = (
    <>
      <SignInFields fields={fields} faults={faults} />
      <p class="after">
        <a href="/app/reset">Forgot your password?</a>
        {signUp === 'open' && (
          <>
            {' '}
            New here? <a href={withNext('/app/sign-up', next)}>Create an account</a>
          </>
        )}
      </p>
    </>
  )
  return showSignInPage(c, { title: 'Sign in', ...notes, children }, status)
}

function SignInFields({ fields, faults }: { fields: EnteredFields; faults: FormFaults }) {
  return (
    <form method="post" action="/app/sign-in">
      <HiddenNext next={safeNext(fields['next'])} />
      <EmailField
        autofocus={fields['email'] === undefined}
        value={fields['email']}
        error={faults['email']}
      />
      <PresentPasswordField label="Password" name="password" error={faults['password']} />
      <Button look="primary">Sign in</Button>
    </form>
  )
}

/** GET /app/welcome: where every sign-up leads, whether or not it made an account. */
export async function showWelcome(c: Context<AppEnv>): Promise<Response> {
  const next = safeNext(c.req.query('next'))
  if (c.get('member')) return c.redirect(next, 303)
  const alert =
    'You could not be signed in with that e-mail address and password. If you have an account already, sign in with its password.'
  return showSignInForm(c, { fields: { next }, alert }, 401)
}

/** POST /app/sign-out */
export async function signOut(c: Context<AppEnv>): Promise<Response> {
  await endSession(c)
  return c.redirect('/app/sign-in', 303)
}

/** GET /app/link/{token}: signs the owner in with a link from the operator that works once. */
export async function openLink(c: Context<AppEnv>): Promise<Response> {
  const token = c.req.param('token') ?? ''
  if (isOnlyLooking(c)) return c.body(null, 204)
  const named = { purpose: 'sign-in', now: Date.now() } as const
  const taken = looksLikeToken(token)
    ? await takeToken(c.env.DB, { ...named, tokenHash: await hashSecret(token) })
    : undefined
  const accountId = taken?.details['accountId']
  if (!taken?.personId || !accountId) {
    const message =
      'This link has been used or has expired. The operator of the service can make a new one: npm run admin -- people link --account ACCOUNT'
    throw new AppError('NotFound', message)
  }
  await startSession(c, { personId: taken.personId, accountId })
  return c.redirect(home, 303)
}

/** A browser that prefetches, or a program that only sends HEAD, must not use the link up. */
function isOnlyLooking(c: Context<AppEnv>): boolean {
  const purpose = c.req.header('Sec-Purpose') ?? c.req.header('Purpose') ?? ''
  return c.req.method === 'HEAD' || /prefetch|preview/i.test(purpose)
}

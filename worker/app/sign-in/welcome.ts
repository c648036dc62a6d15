import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { safeNext } from '../session/safe-next.ts'
import { showSignInForm } from './sign-in.tsx'

/** GET /app/welcome: where a sign-up leads, whatever came of it. */
export async function showWelcome(c: Context<AppEnv>): Promise<Response> {
  const next = safeNext(c.req.query('next'))
  if (c.get('member')) return c.redirect(next, 303)
  const alert =
    'You could not be signed in with that e-mail address and password. If you have an account already, sign in with its password.'
  return showSignInForm(c, { fields: { next }, alert }, 401)
}

import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { home } from '../session/safe-next.ts'
import { showPlainPage } from './plain-page.tsx'

/** GET /app/sign-in */
export async function showSignIn(c: Context<AppEnv>): Promise<Response> {
  if (c.get('member')) return c.redirect(home, 303)
  return showPlainPage(
    c,
    'Sign in',
    <p>Open the link that the operator of this service gave you.</p>,
  )
}

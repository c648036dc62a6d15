import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { endSession } from '../session/start-session.ts'

/** POST /app/sign-out */
export async function signOut(c: Context<AppEnv>): Promise<Response> {
  await endSession(c)
  return c.redirect('/app/sign-in', 303)
}

import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { hashSecret, looksLikeToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { takeToken } from '../../store/people/one-time-tokens.ts'
import { home } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'

/** GET /app/link/{token}: signs the owner in with a link of the operator, once. */
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

/** A browser that fetches ahead, or a program that only asks what is there, must not use the link up. */
function isOnlyLooking(c: Context<AppEnv>): boolean {
  const purpose = c.req.header('Sec-Purpose') ?? c.req.header('Purpose') ?? ''
  return c.req.method === 'HEAD' || /prefetch|preview/i.test(purpose)
}

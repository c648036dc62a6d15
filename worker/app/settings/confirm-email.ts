import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { findToken, takeToken } from '../../store/people/one-time-tokens.ts'
import { updatePerson } from '../../store/people/people.ts'
import { memberOf } from '../session/require-member.ts'
import { backToSettings } from './settings-page.tsx'

/** GET /app/settings/email/{token}: only the person who asked can open it, so a program that opens links does nothing. */
export async function confirmEmail(c: Context<AppEnv>): Promise<Response> {
  const { personId } = memberOf(c)
  const tokenHash = await hashSecret(c.req.param('token') ?? '')
  const named = { tokenHash, purpose: 'address', now: Date.now() } as const
  const found = await findToken(c.env.DB, named)
  const taken = found?.personId === personId ? await takeToken(c.env.DB, named) : undefined
  const email = taken?.details['email']
  if (!email || !(await updatePerson(c.env.DB, personId, { email }))) {
    const message = 'This link has been used or has expired, or you are signed in as somebody else.'
    throw new AppError('NotFound', message)
  }
  return backToSettings(c, 'email')
}

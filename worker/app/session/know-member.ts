import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Member } from '../../contract/people/member.ts'
import { parseRateLimits } from '../../contract/rate-windows.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { describeError, log } from '../../service/log.ts'
import { findSignedIn, prolongSession, type SignedIn } from '../../store/people/sessions.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  setSessionCookie,
  endOfSession,
  sessionTimes,
} from './session-cookie.ts'

/** Finds out who is signed in, if anyone is. */
export const knowMember = createMiddleware<AppEnv>(async (c, next) => {
  // With a stricter policy, a browser would hide the origin of a form even from the form's own service.
  c.header('Referrer-Policy', 'same-origin')
  const token = readSessionCookie(c)
  if (token !== undefined) {
    const now = Date.now()
    const found = await findSignedIn(c.env.DB, await hashSecret(token), now)
    if (!found) clearSessionCookie(c)
    else {
      c.set('member', describeMember(found))
      c.set('memberLimits', found.rateLimits === null ? null : parseRateLimits(found.rateLimits))
      if (now - found.session.lastSeenAt >= sessionTimes.noteEveryMs) {
        noteUse(c, found, { token, now })
      }
    }
  }
  await next()
})

function describeMember({ session, email, name, role, operates }: SignedIn): Member {
  return {
    personId: session.personId,
    email,
    name: name ?? email ?? 'Owner',
    accountId: session.accountId,
    role,
    isOperator: operates && role === 'owner',
    sessionId: session.id,
  }
}

/** Notes that the session is used, rarely and without delaying the answer: the session lasts as long as it is used. */
function noteUse(
  c: Context<AppEnv>,
  { session }: SignedIn,
  { token, now }: { token: string; now: number },
): void {
  const expiresAt = endOfSession(session.createdAt, now)
  setSessionCookie(c, token, expiresAt - now)
  const noted = prolongSession(c.env.DB, session.id, { lastSeenAt: now, expiresAt })
  c.executionCtx.waitUntil(
    noted.catch((error: unknown) => {
      log('warn', 'the use of a session was not noted', describeError(error))
    }),
  )
}

import type { Context } from 'hono'
import { mintId } from '../../contract/ids.ts'
import { hashSecret, mintToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { findPerson } from '../../store/people/people.ts'
import { deleteSession, findSignedIn, insertSession } from '../../store/people/sessions.ts'
import { rememberBrowser } from './known-browser.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  setSessionCookie,
  endOfSession,
} from './session-cookie.ts'

const userAgentLength = 300

/** Signs the person in with a new token and ends the session that the browser came with, so that a planted cookie is worthless. */
export async function startSession(
  c: Context<AppEnv>,
  { personId, accountId }: { personId: string; accountId: string },
): Promise<void> {
  await endPresentSession(c)
  const now = Date.now()
  const token = mintToken()
  const expiresAt = endOfSession(now, now)
  await insertSession(c.env.DB, {
    id: mintId('s'),
    tokenHash: await hashSecret(token),
    personId,
    accountId,
    userAgent: c.req.header('User-Agent')?.slice(0, userAgentLength) ?? null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  })
  setSessionCookie(c, token, expiresAt - now)
  const person = await findPerson(c.env.DB, personId)
  if (person) await rememberBrowser(c, person)
}

/** Signs out: the session is over in every browser that has its cookie. */
export async function endSession(c: Context<AppEnv>): Promise<void> {
  await endPresentSession(c)
  clearSessionCookie(c)
}

async function endPresentSession(c: Context<AppEnv>): Promise<void> {
  const token = readSessionCookie(c)
  if (token === undefined) return
  const found = await findSignedIn(c.env.DB, await hashSecret(token), Date.now())
  if (found) await deleteSession(c.env.DB, found.session.personId, found.session.id)
}

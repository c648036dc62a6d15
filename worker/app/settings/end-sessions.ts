import type { Context } from 'hono'
import { z } from 'zod'
import type { AppEnv } from '../../http/app-env.ts'
import { deleteSession, deleteSessions } from '../../store/people/sessions.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { backToSettings } from './settings-page.tsx'

const endForm = z.object({ sessionId: z.string().max(100) })

/** POST /app/settings/sessions/end */
export async function endOneSession(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, endForm)
  // If the session is over already, there is nothing left to do.
  if (form.ok) await deleteSession(c.env.DB, memberOf(c).personId, form.value.sessionId)
  return backToSettings(c, 'session')
}

/** POST /app/settings/sessions/end-others */
export async function endOtherSessions(c: Context<AppEnv>): Promise<Response> {
  const { personId, sessionId } = memberOf(c)
  await deleteSessions(c.env.DB, personId, sessionId)
  return backToSettings(c, 'sessions')
}

import type { Context } from 'hono'
import { ownersOnly } from '../../http/guard/authenticate.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { personForm, roleForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { changeRole as setRole, listMembers, removeMember } from '../../store/people/members.ts'
import { findHome } from '../../store/people/people.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { home } from '../session/safe-next.ts'
import { endSession, startSession } from '../session/start-session.ts'
import { backToSettings, showSettings } from './settings-page.tsx'

/** POST /app/settings/people/role */
export async function changeRole(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, roleForm)
  if (!form.ok) throw notFound()
  const { personId, role } = form.value
  const { accountId } = memberOf(c)
  if (await setRole(c.env.DB, { accountId, personId }, role)) return backToSettings(c, 'role')
  return refuse(c, personId)
}

/** POST /app/settings/people/remove: owners remove anybody, and everybody may leave. */
export async function removePerson(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, personForm)
  if (!form.ok) throw notFound()
  const { personId } = form.value
  const { personId: me, accountId, role } = memberOf(c)
  if (role !== 'owner' && personId !== me) throw new AppError('Forbidden', ownersOnly)
  if (!(await removeMember(c.env.DB, { accountId, personId }))) return refuse(c, personId)
  return personId === me ? goElsewhere(c, me) : backToSettings(c, 'removed')
}

/** A person who has left moves to another account of theirs, or is signed out. */
async function goElsewhere(c: Context<AppEnv>, personId: string): Promise<Response> {
  const accountId = await findHome(c.env.DB, personId)
  if (accountId === undefined) {
    await endSession(c)
    return c.redirect('/app/sign-in', 303)
  }
  await startSession(c, { personId, accountId })
  return c.redirect(home, 303)
}

async function refuse(c: Context<AppEnv>, personId: string): Promise<Response> {
  const colleagues = await listMembers(c.env.DB, memberOf(c).accountId)
  if (!colleagues.some((colleague) => colleague.personId === personId)) throw notFound()
  const alert = 'An account needs an owner. Make somebody else an owner first.'
  return showSettings(c, { sent: { form: 'people', alert } }, 409)
}

function notFound(): AppError {
  return new AppError('NotFound', 'This person does not belong to the account.')
}

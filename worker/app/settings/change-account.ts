import type { Context } from 'hono'
import { z } from 'zod'
import { AppError } from '../../contract/answers/errors.ts'
import { accountForm, archiveForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { updateAccount } from '../../store/people/accounts.ts'
import { listMemberships } from '../../store/people/members.ts'
import { updatePerson } from '../../store/people/people.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { home } from '../session/safe-next.ts'
import { startSession } from '../session/start-session.ts'
import { backToSettings, showSettings } from './settings-page.tsx'

/** POST /app/settings/account */
export async function renameAccount(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, accountForm)
  if (!form.ok) return showSettings(c, { sent: { form: 'account', ...form } }, 400)
  await updateAccount(c.env.DB, memberOf(c).accountId, { name: form.value.name })
  return backToSettings(c, 'account')
}

/** POST /app/settings/archive */
export async function changeArchive(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, archiveForm)
  if (!form.ok) return showSettings(c, { sent: { form: 'archive', ...form } }, 400)
  await updateAccount(c.env.DB, memberOf(c).accountId, form.value)
  return backToSettings(c, 'archive')
}

const switchForm = z.object({ accountId: z.string().max(100) })

/** POST /app/settings/switch: to another account of the person, with a new session. */
export async function switchAccount(c: Context<AppEnv>): Promise<Response> {
  const { personId } = memberOf(c)
  const form = await readCheckedForm(c, switchForm)
  const accounts = await listMemberships(c.env.DB, personId)
  const wished = form.ok ? form.value.accountId : undefined
  const found = accounts.find(({ accountId }) => accountId === wished)
  if (!found) throw new AppError('NotFound', 'You do not belong to that account.')
  const { accountId } = found
  await updatePerson(c.env.DB, personId, { accountId })
  await startSession(c, { personId, accountId })
  return c.redirect(home, 303)
}

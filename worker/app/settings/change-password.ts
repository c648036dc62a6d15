import type { Context } from 'hono'
import { changePasswordForm, firstPasswordForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hashPassword } from '../../service/password-hash.ts'
import { findPerson, replacePassword, updatePerson } from '../../store/people/people.ts'
import { inConstantTime } from '../session/constant-time.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { startSession } from '../session/start-session.ts'
import { checkPassword } from '../sign-in/check-password.ts'
import { backToSettings, showSettings } from './settings-page.tsx'

/** POST /app/settings/password: sets a first password, or another one if the present one is given. */
export async function changePassword(c: Context<AppEnv>): Promise<Response> {
  const person = await findPerson(c.env.DB, memberOf(c).personId)
  return person?.passwordHash ? replacePresentPassword(c) : setFirstPassword(c)
}

async function setFirstPassword(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, firstPasswordForm)
  const { fields } = form
  if (!form.ok) return showSettings(c, { sent: { form: 'password', ...form } }, 400)
  const { email, password } = form.value
  return inConstantTime(async () => {
    const passwordHash = await hashPassword(password)
    if (await updatePerson(c.env.DB, memberOf(c).personId, { email })) return renew(c, passwordHash)
    const faults = { email: 'This address cannot be used.' }
    return showSettings(c, { sent: { form: 'password', fields, faults } }, 400)
  })
}

async function replacePresentPassword(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, changePasswordForm)
  if (!form.ok) return showSettings(c, { sent: { form: 'password', ...form } }, 400)
  const { current, password } = form.value
  const { email } = memberOf(c)
  return inConstantTime(async () => {
    if (email === null || !(await checkPassword(c, email, current))) {
      const faults = { current: 'Wrong password.' }
      return showSettings(c, { sent: { form: 'password', faults } }, 400)
    }
    return renew(c, await hashPassword(password))
  })
}

/** Ends every session, and gives this browser a new one. */
async function renew(c: Context<AppEnv>, passwordHash: string): Promise<Response> {
  const { personId, accountId } = memberOf(c)
  await replacePassword(c.env.DB, personId, passwordHash)
  await startSession(c, { personId, accountId })
  return backToSettings(c, 'password')
}

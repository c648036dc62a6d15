import type { Context } from 'hono'
import { changeEmailForm, profileForm } from '../../contract/people/people.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { mailMode, sendMail } from '../../service/send-mail.ts'
import { readSettings } from '../../settings.ts'
import { findToken, makeToken, takeToken } from '../../store/people/one-time-tokens.ts'
import { updatePerson } from '../../store/people/people.ts'
import { inConstantTime } from '../session/constant-time.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { checkPassword } from '../sign-in/check-password.ts'
import { backToSettings, showSettings } from './settings-page.tsx'
import { AppError } from '../../contract/answers/errors.ts'

/** POST /app/settings/profile */
export async function changeName(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, profileForm)
  if (!form.ok) return showSettings(c, { sent: { form: 'profile', ...form } }, 400)
  await updatePerson(c.env.DB, memberOf(c).personId, { name: form.value.name ?? null })
  return backToSettings(c, 'profile')
}

/** POST /app/settings/email: where mails can be sent, the new address takes effect once it is confirmed. */
export async function changeEmail(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, changeEmailForm)
  const { fields } = form
  if (!form.ok) return showSettings(c, { sent: { form: 'email', ...form } }, 400)
  const { email, current } = form.value
  const { personId, email: formerEmail } = memberOf(c)
  return inConstantTime(async () => {
    if (formerEmail === null || !(await checkPassword(c, formerEmail, current))) {
      const faults = { current: 'Wrong password.' }
      return showSettings(c, { sent: { form: 'email', fields, faults } }, 400)
    }
    if (email === formerEmail) return backToSettings(c, 'email')
    if (mailMode(c.env) === 'api') {
      await askToConfirm(c, { personId, email })
      return backToSettings(c, 'mail-sent')
    }
    if (await updatePerson(c.env.DB, personId, { email })) return backToSettings(c, 'email')
    const faults = { email: 'This address cannot be used.' }
    return showSettings(c, { sent: { form: 'email', fields, faults } }, 400)
  })
}

async function askToConfirm(
  c: Context<AppEnv>,
  { personId, email }: { personId: string; email: string },
): Promise<void> {
  const asked = { purpose: 'address', personId, details: { email } } as const
  const { token } = await makeToken(c.env.DB, asked)
  const url = `${readSettings(c.env).baseUrl}/app/settings/email/${token}`
  const text = `Open this link within an hour, in a browser where you are signed in, to use this address with Spool:\n\n${url}\n\nIf you did not ask for this, you can ignore this e-mail. Nothing has changed.\n`
  c.executionCtx.waitUntil(
    sendMail(c.env, { to: email, subject: 'Confirm your new e-mail address', text }),
  )
}

/** GET /app/settings/email/{token}: works only for the person who asked, so a program that opens links changes nothing. */
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

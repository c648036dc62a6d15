import type { Context } from 'hono'
import { signInLimits } from '../../contract/limits.ts'
import { askSignUpForm, signUpForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { limitAttempts } from '../../service/limits/limit-attempts.ts'
import { inConstantTime } from '../session/constant-time.ts'
import { networkAddress } from '../session/network-address.ts'
import { checkFields, readFields } from '../session/read-form.ts'
import { safeNext } from '../session/safe-next.ts'
import { askToConfirm } from './confirm-sign-up.tsx'
import { signUpAtOnce } from './sign-up-at-once.ts'
import { signUpMode } from './sign-up-mode.ts'
import { openInvitation, signUpInvited } from './invitation.tsx'
import { isConfirmedByMail, showSignUpForm } from './sign-up-form.tsx'

/** GET /app/sign-up */
export async function showSignUp(c: Context<AppEnv>): Promise<Response> {
  const next = c.req.query('next')
  if (c.get('member')) return c.redirect(safeNext(next), 303)
  return showSignUpForm(c, next === undefined ? {} : { fields: { next } })
}

/** POST /app/sign-up */
export async function signUp(c: Context<AppEnv>): Promise<Response> {
  const fields = await readFields(c)
  const invitation = await openInvitation(c, fields['invitation'])
  const mode = signUpMode(c)
  const isWelcome = mode === 'open' || (mode !== 'closed' && invitation !== undefined)
  if (!isWelcome) return showSignUpForm(c, {}, 403)
  if (!invitation && isConfirmedByMail(c)) {
    const form = checkFields(fields, askSignUpForm)
    if (!form.ok) return showSignUpForm(c, form, 400)
    return inConstantTime(async () => askToConfirm(c, form.value))
  }
  const invited = invitation && { email: invitation.email, accountName: invitation.accountName }
  const form = checkFields(fields, signUpForm)
  if (!form.ok) return showSignUpForm(c, { ...form, invited }, 400)
  const { value } = form
  return inConstantTime(async () => {
    const limit = signInLimits.signUps.perNetwork
    const from = { what: 'sign-up from', whose: networkAddress(c), limit }
    await limitAttempts(c.env, [from], Date.now())
    if (!invitation) return signUpAtOnce(c, value)
    return signUpInvited(c, { ...value, email: invitation.email }, invitation)
  })
}

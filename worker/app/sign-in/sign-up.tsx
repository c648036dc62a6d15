import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { signInLimits } from '../../contract/limits.ts'
import { askSignUpForm, signUpForm } from '../../contract/people/people.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { limitAttempts } from '../../service/limits/limit-attempts.ts'
import { mailMode } from '../../service/send-mail.ts'
import { Button } from '../design/button.tsx'
import { evenly } from '../session/evenly.ts'
import { networkAddress } from '../session/network-address.ts'
import { checkFields, readFields, type FormFaults, type FormFields } from '../session/read-form.ts'
import { safeNext } from '../session/safe-next.ts'
import { askToConfirm } from './confirm-sign-up.tsx'
import { HiddenNext, withNext } from './hidden-next.tsx'
import { EmailField, SignUpFields } from './sign-up-fields.tsx'
import { signUpAtOnce } from './sign-up-at-once.ts'
import { signUpMode } from './sign-up-mode.ts'
import { showSignInPage, type SignInNotes } from './sign-in-layout.tsx'
import { openInvitation, signUpInvited } from './invitation.tsx'

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
    return evenly(async () => askToConfirm(c, form.value))
  }
  const invited = invitation && { email: invitation.email, accountName: invitation.accountName }
  const form = checkFields(fields, signUpForm)
  if (!form.ok) return showSignUpForm(c, { ...form, invited }, 400)
  const { value } = form
  return evenly(async () => {
    const limit = signInLimits.signUps.perNetwork
    const from = { what: 'sign-up from', whose: networkAddress(c), limit }
    await limitAttempts(c.env, [from], Date.now())
    if (!invitation) return signUpAtOnce(c, value)
    return signUpInvited(c, { ...value, email: invitation.email }, invitation)
  })
}

/** Where mails are sent, a sign-up begins with the address alone. The link of an invitation has come by mail already. */
function isConfirmedByMail(c: Context<AppEnv>): boolean {
  return mailMode(c.env) === 'api'
}

type Shown = SignInNotes & {
  fields?: FormFields
  faults?: FormFaults
  /** The address that was invited, and the account that it joins. */
  invited?: { email: string; accountName: string | null } | undefined
}

const closed: Record<Exclude<ReturnType<typeof signUpMode>, 'open'>, string> = {
  invited: 'Accounts of this service are by invitation. Ask an owner of an account to invite you.',
  closed: 'This service takes no new accounts.',
  unannounced:
    'This service does not know that others can reach it. Its operator has to set BASE_URL to this address.',
}

/** The form, or why there is none. */
export async function showSignUpForm(
  c: Context<AppEnv>,
  { fields = {}, faults = {}, invited, ...notes }: Shown,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const mode = signUpMode(c)
  const next = safeNext(fields['next'])
  const signInLink = (
    <p class="after">
      Have an account? <a href={withNext('/app/sign-in', next)}>Sign in</a>
    </p>
  )
  if (mode === 'closed' || (mode !== 'open' && !invited)) {
    const children = [<p>{closed[mode]}</p>, signInLink]
    return showSignInPage(c, { title: 'Create an account', children }, status)
  }
  const title = invited ? `Join ${invited.accountName ?? 'the account'}` : 'Create an account'
  const isFirstStep = !invited && isConfirmedByMail(c)
  const shown = { fields, faults, fixedEmail: invited?.email }
  const children = (
    <>
      <form method="post" action="/app/sign-up">
        <HiddenNext next={next} />
        {invited && <input type="hidden" name="invitation" value={fields['invitation']} />}
        {isFirstStep ? (
          <EmailField {...shown} hint="A link to choose a password is sent there." />
        ) : (
          <SignUpFields {...shown} />
        )}
        <Button look="primary">{isFirstStep ? 'Send the link' : 'Create account'}</Button>
      </form>
      {signInLink}
    </>
  )
  return showSignInPage(c, { title, ...notes, children }, status)
}

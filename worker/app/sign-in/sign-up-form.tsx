import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../../http/app-env.ts'
import { mailMode } from '../../service/send-mail.ts'
import { Button } from '../design/button.tsx'
import { type FormFaults, type EnteredFields } from '../session/read-form.ts'
import { safeNext } from '../session/safe-next.ts'
import { EmailField, HiddenNext, withNext, SignUpFields } from './fields.tsx'
import { signUpMode } from './sign-up-mode.ts'
import { showSignInPage, type SignInNotes } from './sign-in-layout.tsx'

/** Where mails can be sent, a sign-up begins with the address alone. The link of an invitation has already come by mail. */
export function isConfirmedByMail(c: Context<AppEnv>): boolean {
  return mailMode(c.env) === 'api'
}

type SignUpProps = SignInNotes & {
  fields?: EnteredFields
  faults?: FormFaults
  /** The address that was invited, and the account that it joins. */
  invited?: { email: string; accountName: string | null } | undefined
}

const closed: Record<Exclude<ReturnType<typeof signUpMode>, 'open'>, string> = {
  invited:
    'Accounts on this service are by invitation only. Ask the owner of an account to invite you.',
  closed: 'This service does not accept new accounts.',
  unannounced:
    'This service is not set up to be used from other machines. Its operator has to set BASE_URL to this address.',
}

/** The sign-up form, or why sign-up is closed. */
export async function showSignUpForm(
  c: Context<AppEnv>,
  { fields = {}, faults = {}, invited, ...notes }: SignUpProps,
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
          <EmailField
            value={fields['email']}
            error={faults['email']}
            hint="A link to choose a password is sent there."
          />
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

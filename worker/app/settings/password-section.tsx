import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'
import { Alert } from '../design/notice.tsx'
import { EmailField, NewPasswordField } from '../sign-in/fields.tsx'
import type { Sent, SettingsView } from './read-settings-page.ts'

export function PasswordSection({ view: { person, sent } }: { view: SettingsView }) {
  const mine = sent?.form === 'password' ? sent : undefined
  const isFirst = person.passwordHash === null
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      {isFirst && (
        <p class="soft">
          You signed in with a link. With an e-mail address and a password you can sign in without
          one.
        </p>
      )}
      <form method="post" action="/app/settings/password">
        <Alert>{mine?.alert}</Alert>
        {isFirst ? (
          <FirstEmail email={person.email} sent={mine} />
        ) : (
          <PresentPassword sent={mine} />
        )}
        <NewPasswordField
          label={isFirst ? 'Password' : 'New password'}
          error={mine?.faults?.['password']}
          hint="You will be signed out everywhere else."
        />
        <Button>{isFirst ? 'Set password' : 'Change password'}</Button>
      </form>
    </section>
  )
}

function FirstEmail({ email, sent }: { email: string | null; sent: Sent | undefined }) {
  return (
    <EmailField value={sent?.fields?.['email'] ?? email ?? ''} error={sent?.faults?.['email']} />
  )
}

function PresentPassword({ sent }: { sent: Sent | undefined }) {
  return (
    <Field
      label="Current password"
      name="current"
      type="password"
      autocomplete="current-password"
      required
      error={sent?.faults?.['current']}
    />
  )
}

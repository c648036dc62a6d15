import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'
import { Alert } from '../design/notice.tsx'
import { EmailField } from '../sign-in/fields.tsx'
import type { SettingsView } from './read-settings-page.ts'

/** The person's name and address. A person who came by a link gives the address together with a first password. */
export function ProfileSection({ view }: { view: SettingsView }) {
  const { person, sent } = view
  const named = sent?.form === 'profile' ? sent : undefined
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">You</h2>
      <form method="post" action="/app/settings/profile">
        <Alert>{named?.alert}</Alert>
        <Field
          label="Name"
          name="name"
          autocomplete="name"
          maxlength={255}
          value={named?.fields?.['name'] ?? person.name ?? ''}
          error={named?.faults?.['name']}
        />
        <Button>Change name</Button>
      </form>
      {person.passwordHash !== null && <EmailForm view={view} />}
    </section>
  )
}

function EmailForm({ view: { person, sent } }: { view: SettingsView }) {
  const mine = sent?.form === 'email' ? sent : undefined
  return (
    <form method="post" action="/app/settings/email">
      <Alert>{mine?.alert}</Alert>
      <EmailField
        value={mine?.fields?.['email'] ?? person.email ?? ''}
        error={mine?.faults?.['email']}
      />
      <Field
        label="Your password"
        name="current"
        id="email-current"
        type="password"
        autocomplete="current-password"
        required
        error={mine?.faults?.['current']}
      />
      <Button>Change e-mail address</Button>
    </form>
  )
}

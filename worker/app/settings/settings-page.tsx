import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../../http/app-env.ts'
import type { PageContent } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { AccountSection } from './account-section.tsx'
import { PeopleSection } from './people-section.tsx'
import {
  readSettingsView,
  type NewInvitation,
  type SentForm,
  type SettingsView,
} from './read-settings-page.ts'
import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'
import { Alert } from '../design/notice.tsx'
import { EmailField, NewPasswordField, PresentPasswordField } from '../sign-in/fields.tsx'
import { timestamp } from '../../service/videos/describe-video.ts'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { RelativeTime } from '../design/values.tsx'

const style = `
.page > section { max-width: 44rem; margin: 0 0 var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.page > section form { margin: 0; }
.page > section > * + form, .page > section > * + .table, .page > section > * + .notice { margin-top: var(--s4); }
.invite { display: flex; flex-wrap: wrap; gap: 0 var(--s3); align-items: flex-end; }
.invite .field { flex: 1 1 14rem; }
.invite > .button { margin-bottom: var(--s3); }
`

/** The notes about what was just done, for the page that follows. */
const notes: Readonly<Record<string, string>> = {
  profile: 'Name updated.',
  email: 'E-mail address updated.',
  'mail-sent': 'We have sent a link to the new address. Open it to finish the change.',
  password: 'Password changed. You are signed out everywhere else.',
  session: 'Session ended.',
  sessions: 'You are signed out everywhere else.',
  account: 'Account renamed.',
  archive: 'Archive setting saved.',
  invitation: 'Invitation withdrawn.',
  role: 'Role changed.',
  removed: 'Person removed.',
}

/** GET /app/settings; also shown with the faults of a form that was refused. */
export async function showSettings(
  c: Context<AppEnv>,
  shown: { sent?: SentForm; invited?: NewInvitation } = {},
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const view = await readSettingsView(c, shown)
  const page: PageContent = {
    title: 'Settings',
    said: notes[view.done ?? ''],
    section: 'settings',
    style,
    children: (
      <>
        <ProfileSection view={view} />
        <PasswordSection view={view} />
        <SessionsSection view={view} />
        <PeopleSection view={view} />
        <AccountSection view={view} />
      </>
    ),
  }
  return sendPage(c, page, status)
}

/** Where a form redirects after success. */
export function backToSettings(c: Context<AppEnv>, done: keyof typeof notes): Response {
  return c.redirect(`/app/settings?done=${done}`, 303)
}

/** The person's name and address. A person who came by a link gives the address together with a first password. */
function ProfileSection({ view }: { view: SettingsView }) {
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
      <PresentPasswordField
        label="Your password"
        name="current"
        id="email-current"
        error={mine?.faults?.['current']}
      />
      <Button>Change e-mail address</Button>
    </form>
  )
}

function PasswordSection({ view: { person, sent } }: { view: SettingsView }) {
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
          <EmailField
            value={mine?.fields?.['email'] ?? person.email ?? ''}
            error={mine?.faults?.['email']}
          />
        ) : (
          <PresentPasswordField
            label="Current password"
            name="current"
            error={mine?.faults?.['current']}
          />
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

/** The browsers in which the person is signed in. */
function SessionsSection({ view: { member, sessions, now } }: { view: SettingsView }) {
  const rows = sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => [
    describeBrowser(userAgent),
    <RelativeTime at={timestamp(createdAt)} now={now} />,
    <RelativeTime at={timestamp(lastSeenAt)} now={now} />,
    id === member.sessionId ? (
      'This session'
    ) : (
      <form method="post" action="/app/settings/sessions/end">
        <input type="hidden" name="sessionId" value={id} />
        <Button size="small" label={`End the session of ${describeBrowser(userAgent)}`}>
          End
        </Button>
      </form>
    ),
  ])
  const columns = ['Browser', 'Signed in', 'Last used', 'Session']
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <DataTable caption="Where you are signed in" columns={columns} rows={rows} />
      {sessions.length > 1 && (
        <form method="post" action="/app/settings/sessions/end-others">
          <Button>Sign out everywhere else</Button>
        </form>
      )}
    </section>
  )
}

const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  // The order matters: each of these browsers also names the ones below it.
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** `Firefox on Linux`: enough for people to recognise a session of theirs. */
function describeBrowser(userAgent: string | null): string {
  const find = (known: typeof browsers) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0]
  const browser = find(browsers) ?? 'An unknown browser'
  const system = find(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}

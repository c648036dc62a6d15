import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../../http/app-env.ts'
import type { Shown } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { AccountSection } from './account-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { readSettingsView, type NewInvitation, type Sent } from './read-settings-page.ts'
import { SessionsSection } from './sessions-section.tsx'

const style = `
.page > section { max-width: 44rem; margin: 0 0 var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.page > section form { margin: 0; }
.page > section > * + form, .page > section > * + .table, .page > section > * + .notice { margin-top: var(--s4); }
.invite { display: flex; flex-wrap: wrap; gap: 0 var(--s3); align-items: flex-end; }
.invite .field { flex: 1 1 14rem; }
.invite .field.role { flex: 0 1 9rem; }
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
  shown: { sent?: Sent; invited?: NewInvitation } = {},
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const view = await readSettingsView(c, shown)
  const page: Shown = {
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

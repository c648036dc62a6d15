import { timestamp } from '../../service/videos/describe-video.ts'
import { roles, type Role } from '../../contract/people/member.ts'
import type { Colleague } from '../../store/people/members.ts'
import type { InvitationRow } from '../../store/tables/people-tables.ts'
import { Button } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field, FieldFrame } from '../design/field.tsx'
import { Alert, Notice } from '../design/notice.tsx'
import { RelativeTime } from '../design/values.tsx'
import type { NewInvitation, SettingsView } from './read-settings-page.ts'

/** The people of the account; owners can also invite, change roles and remove people. */
export function PeopleSection({ view }: { view: SettingsView }) {
  const { member, colleagues, invitations, invited, sent, now } = view
  const isOwner = member.role === 'owner'
  const columns = [
    'Person',
    'Role',
    'Joined',
    ...(isOwner || colleagues.length > 1 ? ['Change'] : []),
  ]
  const rows = colleagues.map((colleague) => [
    <span dir="auto">{nameOf(colleague)}</span>,
    colleague.role,
    <RelativeTime at={timestamp(colleague.createdAt)} now={now} />,
    <Changes colleague={colleague} view={view} />,
  ])
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      <p class="soft">
        Owners can do everything. Members can work with videos, uploads and webhook tests; only
        owners manage keys, people and the webhook secret.
      </p>
      <Alert>{sent?.form === 'people' ? sent.alert : undefined}</Alert>
      <DataTable caption="People of the account" columns={columns} rows={rows} />
      {isOwner && <InviteForm view={view} />}
      {invited && <InviteLink invited={invited} />}
      {invitations.length > 0 && <Invitations invitations={invitations} now={now} />}
    </section>
  )
}

function nameOf({ name, email }: Pick<Colleague, 'name' | 'email'>): string {
  if (name === null) return email ?? 'Owner'
  return email === null ? name : `${name} (${email})`
}

function Changes({ colleague, view }: { colleague: Colleague; view: SettingsView }) {
  const { member, colleagues } = view
  const isMe = colleague.personId === member.personId
  const owners = colleagues.filter(({ role }) => role === 'owner')
  // The last owner must stay, so no change is offered.
  if (colleague.role === 'owner' && owners.length === 1) return <>last owner</>
  if (member.role !== 'owner' && !isMe) return null
  const other: Role = colleague.role === 'owner' ? 'member' : 'owner'
  return (
    <span class="row">
      {member.role === 'owner' && (
        <form method="post" action="/app/settings/people/role">
          <Person colleague={colleague} />
          <input type="hidden" name="role" value={other} />
          <Button size="small" label={`Make ${nameOf(colleague)} ${articles[other]}`}>
            Make {other}
          </Button>
        </form>
      )}
      <form method="post" action="/app/settings/people/remove">
        <Person colleague={colleague} />
        <Button
          size="small"
          look="danger"
          label={isMe ? 'Leave' : `Remove ${nameOf(colleague)}`}
          dialog={dialogOf(colleague)}
        >
          {isMe ? 'Leave' : 'Remove'}
        </Button>
      </form>
      <RemoveDialog colleague={colleague} isMe={isMe} />
    </span>
  )
}

function RemoveDialog({ colleague, isMe }: { colleague: Colleague; isMe: boolean }) {
  return (
    <Dialog
      id={dialogOf(colleague)}
      title={isMe ? 'Leave this account?' : `Remove ${nameOf(colleague)}?`}
      keep={isMe ? 'Stay' : 'Keep'}
      confirm={
        <form method="post" action="/app/settings/people/remove">
          <Person colleague={colleague} />
          <Button look="danger">{isMe ? 'Leave' : 'Remove'}</Button>
        </form>
      }
    >
      <p>
        {isMe ? 'You' : 'This person'} can no longer open the account, until an owner sends a new
        invitation. Its videos and keys stay.
      </p>
    </Dialog>
  )
}

const dialogOf = ({ personId }: Colleague) => `remove-${personId}`

function Person({ colleague: { personId } }: { colleague: Colleague }) {
  return <input type="hidden" name="personId" value={personId} />
}

const articles: Record<Role, string> = { owner: 'an owner', member: 'a member' }

function InviteForm({ view: { sent } }: { view: SettingsView }) {
  const mine = sent?.form === 'invitation' ? sent : undefined
  const chosen = mine?.fields?.['role'] ?? 'member'
  return (
    <>
      <Alert>{mine?.alert}</Alert>
      <form method="post" action="/app/settings/invitations" class="invite">
        <Field
          label="Invite by e-mail address"
          name="email"
          id="invite-email"
          type="email"
          required
          autocomplete="off"
          value={mine?.fields?.['email']}
          error={mine?.faults?.['email']}
        />
        <FieldFrame
          label="Role"
          name="role"
          control={(props) => (
            <select class="input" {...props}>
              {roles.toReversed().map((role) => (
                <option value={role} selected={role === chosen}>
                  {role}
                </option>
              ))}
            </select>
          )}
        />
        <Button>Invite</Button>
      </form>
    </>
  )
}

function InviteLink({ invited: { email, url } }: { invited: NewInvitation }) {
  return (
    <Notice tone="good" role="status">
      {url === undefined ? (
        <>
          The invitation is on its way to <strong dir="auto">{email}</strong>. Its link works once,
          within a week.
        </>
      ) : (
        <>
          <p>
            Send this link to <strong dir="auto">{email}</strong>. It works once, within a week, and
            is shown only now:
          </p>
          <CodeBlock label="Link" code={url} />
        </>
      )}
    </Notice>
  )
}

function Invitations({ invitations, now }: { invitations: readonly InvitationRow[]; now: number }) {
  const columns = ['Invited', 'Role', 'Since', 'Invitation']
  const rows = invitations.map(({ id, email, role, createdAt }) => [
    <span dir="auto">{email}</span>,
    role,
    <RelativeTime at={timestamp(createdAt)} now={now} />,
    <form method="post" action="/app/settings/invitations/withdraw">
      <input type="hidden" name="invitationId" value={id} />
      <Button size="small" label={`Withdraw the invitation of ${email}`}>
        Withdraw
      </Button>
    </form>,
  ])
  return <DataTable caption="Open invitations" columns={columns} rows={rows} />
}

import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import type { Member } from '../../contract/people/member.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { findAccount, type AccountRow } from '../../store/people/accounts.ts'
import { listInvitations } from '../../store/people/invitations.ts'
import { listMembers, listMemberships, type Colleague } from '../../store/people/members.ts'
import { findPerson } from '../../store/people/people.ts'
import type { InvitationRow, PersonRow, SessionRow } from '../../store/tables/people-tables.ts'
import { listSessions } from '../../store/people/sessions.ts'
import { memberOf } from '../session/require-member.ts'
import type { FormFaults, EnteredFields } from '../session/read-form.ts'

/** The forms of the page; entries and faults are shown in the form that was sent. */
type FormName = 'profile' | 'email' | 'password' | 'account' | 'archive' | 'invitation' | 'people'

export type SentForm = {
  form: FormName
  fields?: EnteredFields
  faults?: FormFaults
  /** What is wrong with the form as a whole. */
  alert?: string
}

/** An invitation that was just made, with its link if no mail has delivered it: it is shown only once. */
export type NewInvitation = { email: string; url?: string }

/** Everything that the settings show. */
export type SettingsView = {
  member: Member
  person: PersonRow
  account: AccountRow
  accounts: readonly { accountId: string; name: string | null }[]
  sessions: readonly SessionRow[]
  colleagues: readonly Colleague[]
  invitations: readonly InvitationRow[]
  sent: SentForm | undefined
  done: string | undefined
  invited: NewInvitation | undefined
  now: number
}

export async function readSettingsView(
  c: Context<AppEnv>,
  shown: { sent?: SentForm | undefined; invited?: NewInvitation | undefined },
): Promise<SettingsView> {
  const member = memberOf(c)
  const { personId, accountId } = member
  const d1 = c.env.DB
  const now = Date.now()
  const [person, account, accounts, sessions, colleagues, invitations] = await Promise.all([
    findPerson(d1, personId),
    findAccount(d1, accountId),
    listMemberships(d1, personId),
    listSessions(d1, personId, now),
    listMembers(d1, accountId),
    member.role === 'owner' ? listInvitations(d1, accountId, now) : [],
  ])
  if (!person || !account) throw new AppError('NotFound')
  const { sent, invited } = shown
  const done = c.req.query('done')
  return {
    member,
    person,
    account,
    accounts,
    sessions,
    colleagues,
    invitations,
    sent,
    done,
    invited,
    now,
  }
}

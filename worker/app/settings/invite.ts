import type { Context } from 'hono'
import { z } from 'zod'
import { mintId } from '../../contract/ids.ts'
import { invitationsPerAccount, signInLimits } from '../../contract/limits.ts'
import { inviteForm } from '../../contract/people/people.ts'
import { hashSecret, mintToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { limitAttempts } from '../../service/limits/limit-attempts.ts'
import { mailMode, sendMail } from '../../service/send-mail.ts'
import { readSettings } from '../../settings.ts'
import { findAccount } from '../../store/people/accounts.ts'
import { deleteInvitation, putInvitation } from '../../store/people/invitations.ts'
import { readCheckedForm } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { backToSettings, showSettings } from './settings-page.tsx'

const lifetimeMs = 7 * 86_400_000

/**
 * POST /app/settings/invitations: mails the invitation. Anyone who has its link can choose the password of a new person, so the
 * owner who invites sees the link only where no mail can prove whose the address is.
 */
export async function invite(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, inviteForm)
  const { fields } = form
  if (!form.ok) return showSettings(c, { sent: { form: 'invitation', ...form } }, 400)
  const { email, role } = form.value
  const { accountId, personId } = memberOf(c)
  const now = Date.now()
  const limit = signInLimits.invitationsPerAccount
  await limitAttempts(c.env, [{ what: 'invitation', whose: accountId, limit }], now)
  const token = mintToken()
  const invitation = {
    id: mintId('i'),
    accountId,
    email,
    role,
    tokenHash: await hashSecret(token),
    invitedBy: personId,
    createdAt: now,
    expiresAt: now + lifetimeMs,
  }
  if (!(await putInvitation(c.env.DB, invitation, invitationsPerAccount))) {
    const alert = `This person already belongs to the account, or ${invitationsPerAccount} invitations are open. Withdraw one that is no longer needed.`
    return showSettings(c, { sent: { form: 'invitation', fields, alert } }, 409)
  }
  const url = `${readSettings(c.env).baseUrl}/app/invitations/${token}`
  const isSent = await mailInvitation(c, { email, url })
  if (mailMode(c.env) !== 'api') return showSettings(c, { invited: { email, url } })
  if (isSent) return showSettings(c, { invited: { email } })
  await deleteInvitation(c.env.DB, accountId, invitation.id)
  const alert = 'The invitation could not be sent. Try again in a few minutes.'
  return showSettings(c, { sent: { form: 'invitation', fields, alert } }, 502)
}

async function mailInvitation(
  c: Context<AppEnv>,
  { email, url }: { email: string; url: string },
): Promise<boolean> {
  const { accountId, name } = memberOf(c)
  const account = await findAccount(c.env.DB, accountId)
  const text = `${oneLine(name)} has invited you to join the account ${oneLine(account?.name ?? accountId)} on Spool. Open this link within a week to accept:\n\n${url}\n`
  return sendMail(c.env, { to: email, subject: 'You have been invited to Spool', text })
}

/** Strangers choose their own names: in a mail, a name must not become a link or a long text. */
function oneLine(name: string): string {
  return `"${name
    .replaceAll(/[:/\\."]+/g, ' ')
    .slice(0, 60)
    .trim()}"`
}

const withdrawForm = z.object({ invitationId: z.string().max(100) })

/** POST /app/settings/invitations/withdraw */
export async function withdraw(c: Context<AppEnv>): Promise<Response> {
  const form = await readCheckedForm(c, withdrawForm)
  if (form.ok) {
    await deleteInvitation(c.env.DB, memberOf(c).accountId, form.value.invitationId)
  }
  return backToSettings(c, 'invitation')
}

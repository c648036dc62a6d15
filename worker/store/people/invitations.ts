import { and, asc, eq, getTableColumns, gt } from 'drizzle-orm'
import { callStorage, rowsOf } from '../database.ts'
import { change, findAll, findOne, type Given } from '../statement.ts'
import { invitations, type InvitationRow } from '../tables/people-tables.ts'
import { accounts } from '../tables/tables.ts'

/**
 * Inserts the invitation, in place of an earlier one for the same address. Returns false if the account has this many
 * already, or if a member of it has the address.
 */
export async function putInvitation(d1: D1Database, invitation: InvitationRow, most: number) {
  const { id, accountId, email, role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
  const inserted = await rowsOf(
    d1,
    `insert into invitations
           (id, account_id, email, role, token_hash, invited_by, created_at, expires_at)
         select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
           where (select count(*) from invitations where account_id = ?2 and email <> ?3) < ?9
             and not exists (select 1 from members join people on people.id = members.person_id
               where members.account_id = ?2 and people.email = ?3)
         on conflict (account_id, email) do update set id = excluded.id, role = excluded.role,
           token_hash = excluded.token_hash, invited_by = excluded.invited_by,
           created_at = excluded.created_at, expires_at = excluded.expires_at
         returning id`,
    ...[id, accountId, email, role, tokenHash, invitedBy, createdAt, expiresAt, most],
  )
  return inserted.length > 0
}

export const listInvitations = findAll((db, accountId: Given<string>, now: Given<number>) =>
  db
    .select()
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), gt(invitations.expiresAt, now)))
    .orderBy(asc(invitations.createdAt)),
)

export type OpenInvitation = InvitationRow & { accountName: string | null }

export const findInvitation = findOne((db, tokenHash: Given<string>, now: Given<number>) =>
  db
    .select({ ...getTableColumns(invitations), accountName: accounts.name })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now))),
)

export const deleteInvitation = change((db, accountId: Given<string>, id: Given<string>) =>
  db.delete(invitations).where(and(eq(invitations.accountId, accountId), eq(invitations.id, id))),
)

/**
 * Makes the person a member and uses the invitation up, together. A person who is a member already keeps their role.
 * Returns false if the invitation is gone.
 */
export async function acceptInvitation(
  d1: D1Database,
  { tokenHash, personId, now }: { tokenHash: string; personId: string; now: number },
): Promise<boolean> {
  const [, deleted] = await callStorage(() =>
    d1.batch([
      d1
        .prepare(
          `insert into members (account_id, person_id, role, created_at)
             select account_id, ?2, role, ?3 from invitations
               where token_hash = ?1 and expires_at > ?3
             on conflict do nothing`,
        )
        .bind(tokenHash, personId, now),
      d1
        .prepare(
          'delete from invitations where token_hash = ?1 and expires_at > ?2 returning account_id',
        )
        .bind(tokenHash, now),
    ]),
  )
  return (deleted?.results.length ?? 0) > 0
}

import { and, asc, eq, sql } from 'drizzle-orm'
import type { Role } from '../../contract/people/member.ts'
import { callStorage, query } from '../database.ts'
import { findAll, type Given } from '../statement.ts'
import { members, people, type PersonRow } from '../tables/people-tables.ts'
import { accounts } from '../tables/tables.ts'

type Membership = { accountId: string; personId: string }

export type Colleague = Pick<PersonRow, 'email' | 'name'> & {
  personId: string
  role: Role
  createdAt: number
}

/** The people of an account, those who joined first coming first. */
export const listMembers = findAll((db, accountId: Given<string>) =>
  db
    .select({
      personId: members.personId,
      email: people.email,
      name: people.name,
      role: members.role,
      createdAt: members.createdAt,
    })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(eq(members.accountId, accountId))
    .orderBy(asc(members.createdAt), asc(members.personId)),
)

/** The accounts that a person belongs to. */
export const listMemberships = findAll((db, personId: Given<string>) =>
  db
    .select({ accountId: members.accountId, name: accounts.name, role: members.role })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.personId, personId))
    .orderBy(asc(members.createdAt), asc(members.accountId)),
)

/** True for every member but the last owner, because an account always has an owner. */
const isNotLastOwner = sql`(${members.role} <> 'owner' or exists (
  select 1 from members as others where others.account_id = ${members.accountId}
    and others.person_id <> ${members.personId} and others.role = 'owner'))`

/** Returns false if the member does not exist, or if the account would be left without an owner. */
export async function changeRole(d1: D1Database, { accountId, personId }: Membership, role: Role) {
  const guard = role === 'owner' ? undefined : isNotLastOwner
  const changed = await query(d1, (db) =>
    db
      .update(members)
      .set({ role })
      .where(and(eq(members.accountId, accountId), eq(members.personId, personId), guard))
      .returning({ personId: members.personId }),
  )
  return changed.length > 0
}

/** Removes the member and the sessions that have the account open. Returns false as `changeRole` does. */
export async function removeMember(d1: D1Database, { accountId, personId }: Membership) {
  const [removed] = await callStorage(() =>
    d1.batch([
      d1
        .prepare(
          `delete from members where account_id = ?1 and person_id = ?2 and (role <> 'owner' or exists (
             select 1 from members as others where others.account_id = ?1
               and others.person_id <> ?2 and others.role = 'owner'))
           returning person_id`,
        )
        .bind(accountId, personId),
      d1
        .prepare(
          `delete from sessions where person_id = ?2 and account_id = ?1 and not exists (
             select 1 from members where account_id = ?1 and person_id = ?2)`,
        )
        .bind(accountId, personId),
      d1
        .prepare(
          `delete from one_time_tokens where person_id = ?2 and purpose = 'sign-in'
             and json_extract(details, '$.accountId') = ?1 and not exists (
             select 1 from members where account_id = ?1 and person_id = ?2)`,
        )
        .bind(accountId, personId),
    ]),
  )
  return (removed?.results.length ?? 0) > 0
}

import { and, asc, eq, sql } from 'drizzle-orm'
import {
  callStorage,
  columnOfMissingValue,
  query,
  tableOfTakenKey,
  type Database,
} from '../database.ts'
import { findOne, type Given } from '../statement.ts'
import { members, people, type PersonRow } from '../tables/people-tables.ts'
import { accounts } from '../tables/tables.ts'

/** Makes this person the owner of the account unless it has one; in one batch, so that two requests at once make one owner. */
export async function insertFirstOwner(
  d1: D1Database,
  { id, accountId, createdAt }: Pick<PersonRow, 'id' | 'createdAt'> & { accountId: string },
): Promise<void> {
  const unowned = `not exists (select 1 from members where account_id = ?2 and role = 'owner')`
  await callStorage(() =>
    d1.batch([
      d1
        .prepare(
          `insert into people (id, account_id, created_at) select ?1, ?2, ?3 where ${unowned}`,
        )
        .bind(id, accountId, createdAt),
      d1
        .prepare(
          `insert into members (account_id, person_id, role, created_at)
             select ?2, ?1, 'owner', ?3 where ${unowned}`,
        )
        .bind(id, accountId, createdAt),
    ]),
  )
}

export const findFirstOwner = findOne(
  (db, accountId: Given<string>) =>
    db
      .select({ person: people })
      .from(members)
      .innerJoin(people, eq(people.id, members.personId))
      .where(and(eq(members.accountId, accountId), eq(members.role, 'owner')))
      .orderBy(asc(members.createdAt), asc(members.personId))
      .limit(1),
  ({ person }) => person,
)

export const findPerson = findOne((db, id: Given<string>) =>
  db.select().from(people).where(eq(people.id, id)),
)

/** The account that the person was last in and still belongs to, else the one joined first; undefined if there is none. */
export const findHome = findOne(
  (db, personId: Given<string>) =>
    db
      .select({ accountId: members.accountId })
      .from(members)
      .innerJoin(people, eq(people.id, members.personId))
      .where(eq(members.personId, personId))
      .orderBy(sql`${members.accountId} = ${people.accountId} desc`, asc(members.createdAt))
      .limit(1),
  ({ accountId }) => accountId,
)

export const findPersonByEmail = findOne((db, email: Given<string>) =>
  db.select().from(people).where(eq(people.email, email)),
)

/** Stores the person with an account of their own, both or neither. Returns false if the address is taken. */
export async function insertPersonWithAccount(
  d1: D1Database,
  person: PersonRow,
  account: typeof accounts.$inferInsert,
): Promise<boolean> {
  const { id: personId, createdAt } = person
  const owner = { accountId: account.id, personId, role: 'owner', createdAt } as const
  return unlessTaken(d1, (db) =>
    db.batch([
      db.insert(accounts).values(account),
      db.insert(people).values(person),
      db.insert(members).values(owner),
    ]),
  )
}

/**
 * Stores the person as a member of the account they were invited to, and uses the invitation up, all or nothing. Returns
 * false if the address is taken or the invitation is gone.
 */
export async function insertInvitedPerson(d1: D1Database, person: PersonRow, tokenHash: string) {
  const { id, email, name, passwordHash, createdAt } = person
  return unlessTaken(d1, () =>
    d1.batch([
      d1
        .prepare(
          `insert into people (id, email, name, password_hash, account_id, created_at)
             values (?1, ?2, ?3, ?4,
               (select account_id from invitations where token_hash = ?5 and expires_at > ?6), ?6)`,
        )
        .bind(id, email, name, passwordHash, tokenHash, createdAt),
      // Without an invitation the account is null, which the table refuses, and the person is not made either.
      d1
        .prepare(
          `insert into members (account_id, person_id, role, created_at)
             values ((select account_id from people where id = ?1), ?1,
               (select role from invitations where token_hash = ?2), ?3)`,
        )
        .bind(id, tokenHash, createdAt),
      d1.prepare('delete from invitations where token_hash = ?1').bind(tokenHash),
    ]),
  )
}

async function unlessTaken(
  d1: D1Database,
  write: (db: Database) => PromiseLike<unknown>,
): Promise<boolean> {
  return query(d1, async (db) => {
    try {
      await write(db)
      return true
    } catch (error) {
      if (tableOfTakenKey(error) === 'people') return false
      if (columnOfMissingValue(error)?.startsWith('members.')) return false
      throw error
    }
  })
}

/** Changes the given fields. Returns false if the address is taken. */
export async function updatePerson(
  d1: D1Database,
  id: string,
  change: Partial<Pick<PersonRow, 'email' | 'name' | 'passwordHash' | 'accountId'>>,
): Promise<boolean> {
  return unlessTaken(d1, (db) => db.update(people).set(change).where(eq(people.id, id)))
}

/** Sets a new password, which ends every session and every link of the person. */
export async function replacePassword(d1: D1Database, personId: string, passwordHash: string) {
  await callStorage(() =>
    d1.batch([
      d1.prepare('update people set password_hash = ?2 where id = ?1').bind(personId, passwordHash),
      d1.prepare('delete from sessions where person_id = ?1').bind(personId),
      d1.prepare('delete from one_time_tokens where person_id = ?1').bind(personId),
    ]),
  )
}

/**
 * Sets a new password for the person to whom the token was sent, if it is still good: all in one batch, so that no token
 * is used up for nothing. Returns the person.
 */
export async function resetPassword(
  d1: D1Database,
  { tokenHash, passwordHash, now }: { tokenHash: string; passwordHash: string; now: number },
): Promise<PersonRow | undefined> {
  const whose = `(select person_id from one_time_tokens
    where token_hash = ?1 and purpose = 'reset' and expires_at > ?2)`
  const [changed] = await callStorage(() =>
    d1.batch<{ id: string }>([
      d1
        .prepare(`update people set password_hash = ?3 where id = ${whose} returning id`)
        .bind(tokenHash, now, passwordHash),
      d1.prepare(`delete from sessions where person_id = ${whose}`).bind(tokenHash, now),
      d1.prepare(`delete from one_time_tokens where person_id = ${whose}`).bind(tokenHash, now),
    ]),
  )
  const id = changed?.results[0]?.id
  return id === undefined ? undefined : findPerson(d1, id)
}

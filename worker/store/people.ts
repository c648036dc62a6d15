import { and, asc, eq, sql } from 'drizzle-orm'
import { callStorage, openDatabase } from './database.ts'
import { members, people, type PersonRow } from './people-tables.ts'

/** Makes this person the owner of the account, unless it has one; in one batch, so that two at once make one owner. */
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

export async function findFirstOwner(
  d1: D1Database,
  accountId: string,
): Promise<PersonRow | undefined> {
  const found = await callStorage(() =>
    openDatabase(d1)
      .select({ person: people })
      .from(members)
      .innerJoin(people, eq(people.id, members.personId))
      .where(and(eq(members.accountId, accountId), eq(members.role, 'owner')))
      .orderBy(asc(members.createdAt), asc(members.personId))
      .limit(1)
      .get(),
  )
  return found?.person
}

export async function findPerson(d1: D1Database, id: string): Promise<PersonRow | undefined> {
  return callStorage(() => openDatabase(d1).select().from(people).where(eq(people.id, id)).get())
}

/** The account that the person was last in and still belongs to, else the one joined first; undefined if there is none. */
export async function findHome(d1: D1Database, personId: string): Promise<string | undefined> {
  const found = await callStorage(() =>
    openDatabase(d1)
      .select({ accountId: members.accountId })
      .from(members)
      .innerJoin(people, eq(people.id, members.personId))
      .where(eq(members.personId, personId))
      .orderBy(sql`${members.accountId} = ${people.accountId} desc`, asc(members.createdAt))
      .limit(1)
      .get(),
  )
  return found?.accountId
}

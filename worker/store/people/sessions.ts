import { and, desc, eq, getTableColumns, gt, ne } from 'drizzle-orm'
import { query } from '../database.ts'
import { change, findAll, findOne, whether, type Given } from '../statement.ts'
import { members, people, sessions, type SessionRow } from '../tables/people-tables.ts'
import { accounts } from '../tables/tables.ts'

const signedIn = {
  session: getTableColumns(sessions),
  email: people.email,
  name: people.name,
  role: members.role,
  accountName: accounts.name,
  operates: accounts.operates,
  rateLimits: accounts.rateLimits,
}

export const findSignedIn = findOne((db, tokenHash: Given<string>, now: Given<number>) =>
  db
    .select(signedIn)
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    // A person who was removed from the account is signed out of it.
    .innerJoin(
      members,
      and(eq(members.personId, sessions.personId), eq(members.accountId, sessions.accountId)),
    )
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now))),
)

/** A session with everything that a request needs to know about its person, read in one statement. */
export type SignedIn = NonNullable<Awaited<ReturnType<typeof findSignedIn>>>

export const insertSession = change((db, session: Given<SessionRow>) =>
  db.insert(sessions).values(session),
)

export const prolongSession = change(
  (db, id: Given<string>, times: Given<Pick<SessionRow, 'lastSeenAt' | 'expiresAt'>>) =>
    db.update(sessions).set(times).where(eq(sessions.id, id)),
)

export const listSessions = findAll((db, personId: Given<string>, now: Given<number>) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.personId, personId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt)),
)

/** Returns false if the person has no such session. */
export const deleteSession = whether((db, personId: Given<string>, id: Given<string>) =>
  db
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
    .returning({ id: sessions.id }),
)

/** Ends every session of the person; with `except`, every other one. */
export async function deleteSessions(d1: D1Database, personId: string, except?: string) {
  const others = except === undefined ? undefined : ne(sessions.id, except)
  await query(d1, (db) => db.delete(sessions).where(and(eq(sessions.personId, personId), others)))
}

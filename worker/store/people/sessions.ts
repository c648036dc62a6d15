import { and, desc, eq, getTableColumns, gt, ne } from 'drizzle-orm'
import { callStorage, openDatabase } from '../database.ts'
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

async function readSignedIn(d1: D1Database, tokenHash: string, now: number) {
  return callStorage(() =>
    openDatabase(d1)
      .select(signedIn)
      .from(sessions)
      .innerJoin(people, eq(people.id, sessions.personId))
      // Somebody who was removed from the account is signed in no longer.
      .innerJoin(
        members,
        and(eq(members.personId, sessions.personId), eq(members.accountId, sessions.accountId)),
      )
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)))
      .get(),
  )
}

/** A session with everything that a request needs to know of its person, read in one statement. */
export type SignedIn = NonNullable<Awaited<ReturnType<typeof readSignedIn>>>

export async function findSignedIn(d1: D1Database, tokenHash: string, now: number) {
  return readSignedIn(d1, tokenHash, now)
}

export async function insertSession(d1: D1Database, session: SessionRow): Promise<void> {
  await callStorage(() => openDatabase(d1).insert(sessions).values(session).run())
}

export async function prolongSession(
  d1: D1Database,
  id: string,
  times: Pick<SessionRow, 'lastSeenAt' | 'expiresAt'>,
): Promise<void> {
  await callStorage(() =>
    openDatabase(d1).update(sessions).set(times).where(eq(sessions.id, id)).run(),
  )
}

export async function listSessions(d1: D1Database, personId: string, now: number) {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(sessions)
      .where(and(eq(sessions.personId, personId), gt(sessions.expiresAt, now)))
      .orderBy(desc(sessions.lastSeenAt))
      .all(),
  )
}

/** Returns false if the person has no such session. */
export async function deleteSession(d1: D1Database, personId: string, id: string) {
  const deleted = await callStorage(() =>
    openDatabase(d1)
      .delete(sessions)
      .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
      .returning({ id: sessions.id })
      .all(),
  )
  return deleted.length > 0
}

/** Ends every session of the person; with `except`, every other one. */
export async function deleteSessions(d1: D1Database, personId: string, except?: string) {
  const others = except === undefined ? undefined : ne(sessions.id, except)
  await callStorage(() =>
    openDatabase(d1)
      .delete(sessions)
      .where(and(eq(sessions.personId, personId), others))
      .run(),
  )
}

import { and, asc, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { callStorage, openDatabase, prepared } from './database.ts'
import type { HomeDatabase } from './databases.ts'
import { accountMoves, type MoveRow, type MoveStep } from './move-tables.ts'
import { accounts } from './tables.ts'

/** Notes a new move, unless the account is under way already. */
export async function insertMove(d1: HomeDatabase, move: MoveRow): Promise<boolean> {
  const { accountId, ...fields } = move
  return callStorage(async () => {
    const inserted = await openDatabase(d1)
      .insert(accountMoves)
      .values({ accountId, ...fields })
      .onConflictDoUpdate({
        target: accountMoves.accountId,
        set: fields,
        setWhere: isNotNull(accountMoves.finishedAt),
      })
      .returning({ id: accountMoves.accountId })
    return inserted.length > 0
  })
}

export async function findMove(d1: HomeDatabase, accountId: string): Promise<MoveRow | undefined> {
  const found = openDatabase(d1).select().from(accountMoves)
  return callStorage(() => found.where(eq(accountMoves.accountId, accountId)).get())
}

/** Moves that nobody drives: the sweep goes on with them. */
export async function listOpenMoves(d1: HomeDatabase, now: number): Promise<MoveRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(accountMoves)
      .where(and(isNull(accountMoves.finishedAt), lte(accountMoves.leaseUntil, now)))
      .orderBy(asc(accountMoves.startedAt))
      .all(),
  )
}

/** The driver that gets the lease goes on with the move; undefined if another one has it, or the move is over. */
export async function takeLease(
  d1: HomeDatabase,
  accountId: string,
  lease: { token: string; now: number; until: number },
): Promise<MoveRow | undefined> {
  const { token, now, until } = lease
  const isFree = or(lte(accountMoves.leaseUntil, now), eq(accountMoves.token, token))
  return callStorage(() =>
    openDatabase(d1)
      .update(accountMoves)
      .set({ token, leaseUntil: until })
      .where(and(eq(accountMoves.accountId, accountId), isNull(accountMoves.finishedAt), isFree))
      .returning()
      .get(),
  )
}

export type MoveChange = Partial<
  Pick<MoveRow, 'step' | 'leaseUntil' | 'closedAt' | 'switchedAt' | 'finishedAt' | 'compared'>
>

/** Returns false if the lease has gone to somebody else. */
export async function noteMove(
  d1: HomeDatabase,
  { accountId, token }: Pick<MoveRow, 'accountId' | 'token'>,
  change: MoveChange,
): Promise<boolean> {
  return callStorage(async () => {
    const noted = await openDatabase(d1)
      .update(accountMoves)
      .set(change)
      .where(and(eq(accountMoves.accountId, accountId), eq(accountMoves.token, token)))
      .returning({ id: accountMoves.accountId })
    return noted.length > 0
  })
}

/** The moment from which the account lives elsewhere: the map and the step of the move change in one transaction. */
export async function switchMap(
  d1: HomeDatabase,
  { accountId, token, toShard }: MoveRow,
  now: number,
): Promise<boolean> {
  const db = openDatabase(d1)
  const holding = and(
    eq(accountMoves.accountId, accountId),
    eq(accountMoves.token, token),
    gt(accountMoves.leaseUntil, now),
  )
  const mine = db.select({ id: accountMoves.accountId }).from(accountMoves).where(holding)
  const step: MoveStep = 'switch'
  return callStorage(async () => {
    const [mapped] = await d1.batch<{ id: string }>([
      prepared(
        d1,
        db
          .update(accounts)
          .set({ shard: toShard })
          .where(eq(accounts.id, mine))
          .returning({ id: accounts.id }),
      ),
      prepared(d1, db.update(accountMoves).set({ step, switchedAt: now }).where(holding)),
    ])
    return (mapped?.results.length ?? 0) > 0
  })
}

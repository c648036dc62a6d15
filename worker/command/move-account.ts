import type { AdminAnswer, AdminRequest } from '../contract/admin.ts'
import { AppError } from '../contract/errors.ts'
import { timestamp } from '../service/describe-video.ts'
import { describeError, log } from '../service/log.ts'
import { inShard } from '../service/shards.ts'
import type { Env } from '../settings.ts'
import { takePlace } from '../store/account-places.ts'
import { findShard } from '../store/accounts.ts'
import { countMost } from '../store/compare-account.ts'
import type { MoveRow } from '../store/move-tables.ts'
import { findMove, insertMove, listOpenMoves, noteMove, takeLease } from '../store/moves.ts'
import { noAccount, requireDatabase } from './administer-accounts.ts'
import { leaseMs, lostLease, moveSteps } from './move-steps.ts'

/** One request does so much, and the next one continues. */
const driveMs = 4_000
const sweepMs = 20_000
/** One invocation reads this many rows on both sides, 250 at a time, with the 1000 queries that it may make. */
const mostRows = 100_000

/** Begins the move or continues it. Called until it says that the account has moved. */
export async function moveAccount(
  env: Env,
  { accountId, database, undo = false }: Extract<AdminRequest, { command: 'accounts.move' }>,
  now: number,
): Promise<AdminAnswer<'accounts.move'>> {
  if (undo) await undoMove(env, accountId, now)
  else await wantMove(env, { accountId, database, now })
  await driveMove(env, accountId, { now, forMs: driveMs })
  const move = await findMove(env.HOME, accountId)
  if (!move) throw new AppError('NotFound', `${accountId} is not being moved.`)
  return describeMove(move)
}

type Wish = { accountId: string; database: number | undefined; now: number }

async function wantMove(env: Env, { accountId, database, now }: Wish): Promise<void> {
  const fromShard = await findShard(env.HOME, accountId)
  if (fromShard === undefined) throw noAccount(accountId)
  const known = await findMove(env.HOME, accountId)
  if (known?.finishedAt === null) {
    if (database === undefined || database === known.toShard) return
    const told =
      known.step === 'clear'
        ? `${accountId} has just moved, and its old rows are still there; try again in a minute or two.`
        : `${accountId} is being moved to database ${known.toShard}.`
    throw new AppError('Conflict', told)
  }
  if (database === undefined) {
    throw new AppError('Conflict', `${accountId} is not being moved; name a database.`)
  }
  requireDatabase(env, database)
  if (database === fromShard) {
    if (known?.toShard === database) return
    throw new AppError('Conflict', `${accountId} lives in database ${database} already.`)
  }
  await requireMovable(inShard(env, fromShard), accountId)
  const places = { fromShard, toShard: database, step: 'begin', token: '', leaseUntil: 0 } as const
  const times = { startedAt: now, closedAt: null, switchedAt: null, finishedAt: null }
  const move = { accountId, ...places, ...times, compared: null }
  if (!(await insertMove(env.HOME, move))) throw lostLease(move)
}

/** An account whose comparison cannot end would stay closed. */
async function requireMovable({ DB }: Env, accountId: string): Promise<void> {
  const rows = await countMost(DB, accountId)
  if (rows <= mostRows) return
  const message = `${accountId} has ${rows} rows in one table, and at most ${mostRows} can be compared while nothing changes. Let older videos go to the archive first: accounts change --archive-after-days.`
  throw new AppError('Conflict', message)
}

async function undoMove(env: Env, accountId: string, now: number): Promise<void> {
  const leased = await lease(env, accountId, now)
  if (!leased)
    throw new AppError(
      'Conflict',
      `${accountId} is not being moved, or just this moment by somebody else.`,
    )
  try {
    if (leased.switchedAt !== null) {
      const message = `${accountId} lives in database ${leased.toShard} already; move it back instead.`
      throw new AppError('Conflict', message)
    }
    await noteMove(env.HOME, leased, { step: 'undo' })
  } finally {
    await noteMove(env.HOME, leased, { leaseUntil: 0 })
  }
}

async function lease(env: Env, accountId: string, now: number): Promise<MoveRow | undefined> {
  const token = crypto.randomUUID()
  const move = await takeLease(env.HOME, accountId, { token, now, until: now + leaseMs })
  if (!move) return undefined
  for (const shard of [move.fromShard, move.toShard]) await takePlace(inShard(env, shard).DB, move)
  return move
}

/** Goes on with a move for a while, unless somebody else does. What dies here is continued when the lease is over. */
async function driveMove(
  env: Env,
  accountId: string,
  { now, forMs }: { now: number; forMs: number },
): Promise<void> {
  const leased = await lease(env, accountId, now)
  if (!leased) return
  const until = performance.now() + forMs
  try {
    let move: MoveRow | undefined = leased
    while (move && move.step !== 'done' && performance.now() < until) {
      move = await takeStep(env, move)
    }
  } finally {
    await noteMove(env.HOME, leased, { leaseUntil: 0 })
  }
}

/** Returns the move as it then is; undefined if it can only wait. */
async function takeStep(env: Env, move: MoveRow): Promise<MoveRow | undefined> {
  const { accountId, step } = move
  if (step === 'done') return undefined
  const change = await moveSteps[step](env, move, Date.now())
  const kept = { ...change, leaseUntil: Date.now() + leaseMs }
  if (!(await noteMove(env.HOME, move, kept))) throw lostLease(move)
  if (change?.step) log('info', 'a move goes on', { accountId, step: change.step })
  // Old rows are cleared when nobody reads them any more, and many of them by several requests.
  if (step === 'clear' && !change) return undefined
  return findMove(env.HOME, accountId)
}

/** Goes on with moves that nobody drives: no account stays closed because a command was stopped. */
export async function sweepMoves(env: Env, now: number): Promise<void> {
  for (const { accountId } of await listOpenMoves(env.HOME, now)) {
    try {
      await driveMove(env, accountId, { now, forMs: sweepMs })
    } catch (error) {
      log('error', 'a move could not go on', { accountId, ...describeError(error) })
    }
  }
}

function outcomeOf({ step, switchedAt }: MoveRow): AdminAnswer<'accounts.move'>['outcome'] {
  const isOver = step === 'done' || step === 'clear'
  if (switchedAt !== null) return isOver ? 'moved' : 'moving'
  return step === 'done' ? 'undone' : 'moving'
}

function describeMove(move: MoveRow): AdminAnswer<'accounts.move'> {
  const { accountId, fromShard, toShard, step, switchedAt, closedAt, finishedAt, compared } = move
  return {
    accountId,
    from: fromShard,
    to: toShard,
    step,
    outcome: outcomeOf(move),
    rows: Object.values(compared ?? {}).reduce((sum, { rows }) => sum + rows, 0),
    closedMs: closedAt === null || switchedAt === null ? null : switchedAt - closedAt,
    finishedAt: finishedAt === null ? null : timestamp(finishedAt),
    tables: compared,
  }
}

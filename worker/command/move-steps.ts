import { AppError } from '../contract/errors.ts'
import { inShard } from '../service/shards.ts'
import type { Env } from '../settings.ts'
import {
  copyAccountRow,
  expectAccount,
  openPlace,
  readAccountRow,
  setPlace,
} from '../store/account-places.ts'
import { comparedTables, digestTable } from '../store/compare-account.ts'
import {
  beginLeaving,
  clearRows,
  forgetChanges,
  readPage,
  writePage,
} from '../store/copy-account.ts'
import type { Compared, MoveRow, MoveStep } from '../store/move-tables.ts'
import { noteMove, switchMap, type MoveChange } from '../store/moves.ts'
import { tellGates, tellObjects } from './tell-of-move.ts'

/** One step of a move, or a part of it. Returns what has changed; undefined while there is more of the step to do. */
export type Step = (env: Env, move: MoveRow, now: number) => Promise<MoveChange | undefined>

/** Longer than any part of a step takes; the driver of a move is taken to have died then. */
export const leaseMs = 20_000
/** One invocation of a Worker may ask a database 1000 times; a page takes up to 90 statements. */
const pagesAtOnce = 8
/** So few changes are copied within the pause. */
const fewChanges = 40
const clearsAtOnce = 40
/** Requests that were under way when the account moved may still read where it was. */
const readersMs = 60_000

const placesOf = (env: Env, { fromShard, toShard }: MoveRow) => ({
  from: inShard(env, fromShard).DB,
  to: inShard(env, toShard).DB,
})

/** Expects the account there, and begins to note what changes here. */
const begin: Step = async (env, move) => {
  const { from, to } = placesOf(env, move)
  await expectAccount(from, to, move)
  await beginLeaving(from, move)
  return { step: 'copy' }
}

/** Returns how many changes the last page had. */
async function copyPage(env: Env, move: MoveRow): Promise<number> {
  const { from, to } = placesOf(env, move)
  const page = await readPage(from, move.accountId)
  await writePage(to, move, page)
  await forgetChanges(from, page.seqs)
  return page.seqs.length
}

/** Copies rows while the account works, until so little is left that a short pause is enough for it. */
const copy: Step = async (env, move, now) => {
  for (let page = 0; page < pagesAtOnce; page++) {
    if ((await copyPage(env, move)) < fewChanges) return { step: 'compare', closedAt: now }
  }
  return undefined
}

/**
 * Whether all tables are the same. Those that an earlier invocation has compared are not read again, as nothing changes
 * meanwhile: one invocation cannot read all that a large account has.
 */
async function compareTables(env: Env, move: MoveRow): Promise<boolean> {
  const { from, to } = placesOf(env, move)
  const compared: Compared = { ...move.compared }
  for (const name of comparedTables.filter((one) => !compared[one])) {
    const [old, copied] = await Promise.all([
      digestTable(from, move.accountId, name),
      digestTable(to, move.accountId, name),
    ])
    if (old.sha256 !== copied.sha256 || old.rows !== copied.rows) return false
    compared[name] = copied
    const kept = { compared, leaseUntil: Date.now() + leaseMs }
    if (!(await noteMove(env.HOME, move, kept))) throw lostLease(move)
  }
  return true
}

/** Nothing of the account may change any more: copies the rest, and compares what both databases have. */
const compare: Step = async (env, move) => {
  const { from, to } = placesOf(env, move)
  await setPlace(from, move, { from: ['leaving'], to: 'closed' })
  for (let page = 0; (await copyPage(env, move)) > 0; page++) {
    if (page === pagesAtOnce) return undefined
  }
  await copyAccountRow(from, to, move)
  const [here, there] = await Promise.all([
    readAccountRow(from, move.accountId),
    readAccountRow(to, move.accountId),
  ])
  if (JSON.stringify(here) !== JSON.stringify(there)) return { step: 'undo' }
  if (!(await compareTables(env, move))) return { step: 'undo' }
  if (!(await switchMap(env.HOME, move, Date.now()))) throw lostLease(move)
  return { step: 'switch' }
}

/** The map names the other database. Only when all gates know may anything change there. */
const lead: Step = async (env, move) => {
  const { from, to } = placesOf(env, move)
  await tellGates(env, move)
  await openPlace(to, move, 'arriving')
  await setPlace(from, move, { from: ['closed'], to: 'gone' })
  return { step: 'tell' }
}

/** Keys and jobs that were made meanwhile know already; telling them again is harmless. */
const tell: Step = async (env, move, now) => {
  await tellGates(env, move)
  await tellObjects(env, move, now)
  return { step: 'clear' }
}

const clear: Step = async (env, move, now) => {
  if (move.switchedAt === null || now < move.switchedAt + readersMs) return undefined
  return (await clearAll(env, move, move.fromShard)) ? { step: 'done', finishedAt: now } : undefined
}

/** Opens the account where it is, and removes what was copied. */
const undo: Step = async (env, move, now) => {
  const { from, to } = placesOf(env, move)
  await openPlace(from, move, 'leaving')
  await openPlace(from, move, 'closed')
  await setPlace(to, move, { from: ['arriving'], to: 'gone' })
  return (await clearAll(env, move, move.toShard)) ? { step: 'done', finishedAt: now } : undefined
}

async function clearAll(env: Env, move: MoveRow, shard: number): Promise<boolean> {
  const { DB } = inShard(env, shard)
  for (let cleared = 0; cleared < clearsAtOnce; cleared++) {
    if ((await clearRows(DB, move)) === 0) return true
  }
  return false
}

export const moveSteps: Record<Exclude<MoveStep, 'done'>, Step> = {
  begin,
  copy,
  compare,
  switch: lead,
  tell,
  clear,
  undo,
}

export function lostLease({ accountId }: MoveRow): AppError {
  return new AppError('Conflict', `Somebody else moves ${accountId} right now.`)
}

import type { AdminAccount, AdminAnswer, AdminRequest } from '../contract/admin.ts'
import { AppError } from '../contract/errors.ts'
import { mintId } from '../contract/ids.ts'
import { parseRateLimits } from '../contract/rate-windows.ts'
import { mintWebhookSecret } from '../contract/webhook-signature.ts'
import { timestamp } from '../service/describe-video.ts'
import { allShards, inShard, ofAccount } from '../service/shards.ts'
import { readSettings, type Env } from '../settings.ts'
import {
  findAccount,
  insertAccount,
  keepAway,
  prepareAccount,
  updateAccount,
  updatePlan,
  type AccountRow,
  type NewAccount,
  type PlanChange,
} from '../store/accounts.ts'
import { accountIsMoving } from '../store/database.ts'
import { listApiKeys } from '../store/api-keys.ts'
import { keyGate } from '../durable/key-gate.ts'
import { tellDispatcher } from '../durable/tell-dispatcher.ts'

type Request<Command extends AdminRequest['command']> = Extract<AdminRequest, { command: Command }>

type Wish = Omit<Request<'accounts.create'>, 'command'>

/** A new account, not stored yet; what the wish leaves open is as the default plan has it. */
export function newAccount(env: Env, wish: Wish, now: number): NewAccount {
  return {
    id: mintId('a'),
    name: wish.name ?? null,
    rateLimits: wish.rateLimits ?? null,
    retainSourcesDays: wish.retainSourcesDays ?? 7,
    retainOutputsDays: wish.retainOutputsDays ?? 30,
    archiveAfterDays: wish.archiveAfterDays === undefined ? 90 : wish.archiveAfterDays,
    weight: wish.weight ?? 1,
    maxRunning: wish.maxRunning ?? null,
    turn: null,
    webhookSecret: mintWebhookSecret(),
    previousWebhookSecret: null,
    previousSecretExpiresAt: null,
    createdAt: now,
    shard: wish.database ?? readSettings(env).newAccountsShard,
  }
}

/** Call this before the account is stored in the home. */
export async function prepareShard(env: Env, account: NewAccount): Promise<void> {
  const at = inShard(env, account.shard)
  if (at.shard === 0) return
  await keepAway(env.HOME, account.id)
  await prepareAccount(at.DB, account)
}

export async function createAccount(
  env: Env,
  wish: Wish,
  now: number,
): Promise<AdminAnswer<'accounts.create'>> {
  const account = newAccount(env, wish, now)
  requireDatabase(env, account.shard)
  await prepareShard(env, account)
  await insertAccount(env.HOME, account)
  return { ...describeAccount(account), webhookSecret: account.webhookSecret }
}

/**
 * Writes the change to D1, then to the gate of each of the account's keys. Repeating the command is harmless, and it
 * updates a gate that missed the first one.
 */
export async function changeAccount(
  env: Env,
  request: Request<'accounts.change'>,
): Promise<AdminAnswer<'accounts.change'>> {
  const { accountId, name, rateLimits, retainSourcesDays, retainOutputsDays } = request
  const { archiveAfterDays, weight, maxRunning } = request
  const kept = { retainSourcesDays, retainOutputsDays, archiveAfterDays }
  const plan = { name, rateLimits, ...kept, weight, maxRunning }
  const account = await changePlan(env, accountId, plan)
  if (plan.rateLimits !== undefined) {
    const windows = account.rateLimits === null ? null : parseRateLimits(account.rateLimits)
    for (const { hash } of await listApiKeys(env.HOME, accountId)) {
      await keyGate(env, hash).changeRateLimits(windows)
    }
  }
  // If the dispatcher does not hear it, the sweep tells it within a minute.
  await tellDispatcher(env, async (slots) =>
    slots.changePlan(accountId, {
      weight: account.weight,
      maxRunning: account.maxRunning,
    }),
  )
  return describeAccount(account)
}

/**
 * Changes the plan where the account lives, which is what its jobs are run by, and then in the home, which is what people
 * are shown. An account that is just moving keeps its plan until it has arrived.
 */
export async function changePlan(
  env: Env,
  accountId: string,
  plan: PlanChange,
): Promise<AccountRow> {
  const { DB } = await ofAccount(env, accountId)
  const isChanged = await updatePlan(DB, accountId, plan)
  const account = isChanged
    ? await updateAccount(env.HOME, accountId, plan)
    : await findAccount(env.HOME, accountId)
  if (!account) throw noAccount(accountId)
  if (!isChanged) throw accountIsMoving(new Error(`the plan of ${accountId} was not changed`))
  return account
}

export function noAccount(accountId: string): AppError {
  return new AppError('NotFound', `There is no account ${accountId}.`)
}

export function requireDatabase(env: Env, database: number): void {
  const known = allShards(env).length
  if (database < known) return
  const has = known === 1 ? 'one database, number 0' : `databases 0 to ${known - 1}`
  throw new AppError('Conflict', `There is no database ${database}; this service has ${has}.`)
}

export function describeAccount(row: NewAccount): AdminAccount {
  return {
    accountId: row.id,
    name: row.name,
    rateLimits: row.rateLimits,
    retainSourcesDays: row.retainSourcesDays,
    retainOutputsDays: row.retainOutputsDays,
    archiveAfterDays: row.archiveAfterDays,
    weight: row.weight,
    maxRunning: row.maxRunning,
    database: row.shard,
    createdAt: timestamp(row.createdAt),
  }
}

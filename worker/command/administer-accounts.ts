import type { AdminAccount, AdminAnswer, AdminRequest } from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { mintId } from '../contract/ids.ts'
import { parseRateLimits } from '../contract/rate-windows.ts'
import { mintWebhookSecret } from '../service/webhooks/sign-webhook.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { forgetBudgets } from '../service/limits/budget.ts'
import type { Env } from '../settings.ts'
import { insertAccount, updateAccount, type NewAccount } from '../store/people/accounts.ts'
import { listApiKeys } from '../store/people/api-keys.ts'
import { keyGate } from '../durable/key-gate.ts'
import { tellDispatcher } from '../service/line/dispatching.ts'

type RequestOf<Command extends AdminRequest['command']> = Extract<
  AdminRequest,
  { command: Command }
>

type AccountRequest = Omit<RequestOf<'accounts.create'>, 'command'>

/** A new account, not stored yet; the default plan decides what the request leaves out. */
export function newAccount(request: AccountRequest, now: number): NewAccount {
  return {
    id: mintId('a'),
    name: request.name ?? null,
    rateLimits: request.rateLimits ?? null,
    retainSourcesDays: request.retainSourcesDays ?? 7,
    retainOutputsDays: request.retainOutputsDays ?? 30,
    archiveAfterDays: request.archiveAfterDays === undefined ? 90 : request.archiveAfterDays,
    weight: request.weight ?? 1,
    maxRunning: request.maxRunning ?? null,
    budget: request.budget ?? null,
    budgetTold: null,
    turn: null,
    webhookSecret: mintWebhookSecret(),
    previousWebhookSecret: null,
    previousSecretExpiresAt: null,
    createdAt: now,
  }
}

export async function createAccount(
  env: Env,
  request: AccountRequest,
  now: number,
): Promise<AdminAnswer<'accounts.create'>> {
  const account = newAccount(request, now)
  await insertAccount(env.DB, account)
  return { ...describeAccount(account), webhookSecret: account.webhookSecret }
}

/**
 * Writes the change to D1, then to the gate of each of the account's keys. Repeating the command is harmless, and it
 * updates a gate that missed the first one.
 */
export async function changeAccount(
  env: Env,
  request: RequestOf<'accounts.change'>,
): Promise<AdminAnswer<'accounts.change'>> {
  const { accountId, name, rateLimits, retainSourcesDays, retainOutputsDays } = request
  const { archiveAfterDays, weight, maxRunning, budget } = request
  const kept = { retainSourcesDays, retainOutputsDays, archiveAfterDays }
  const plan = { name, rateLimits, ...kept, weight, maxRunning, budget }
  const account = await updateAccount(env.DB, accountId, plan)
  if (budget !== undefined) forgetBudgets()
  if (!account) throw new AppError('NotFound', `There is no account ${accountId}.`)
  if (plan.rateLimits !== undefined) {
    const windows = account.rateLimits === null ? null : parseRateLimits(account.rateLimits)
    for (const { hash } of await listApiKeys(env.DB, accountId)) {
      await keyGate(env, hash).changeRateLimits(windows)
    }
  }
  // If this call is lost, the sweep tells the dispatcher within a minute.
  await tellDispatcher(env, async (slots) =>
    slots.changePlan(accountId, {
      weight: account.weight,
      maxRunning: account.maxRunning,
      version: account.planVersion,
    }),
  )
  return describeAccount(account)
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
    budget: row.budget,
    createdAt: timestamp(row.createdAt),
  }
}

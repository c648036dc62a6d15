import type { AdminAnswer, AdminCommand, AdminRequest } from '../contract/admin.ts'
import { hashApiKey, keyHint, mintApiKey, scopes, type Scope } from '../contract/api-key.ts'
import { AppError, invalidRequest } from '../contract/errors.ts'
import { mintId } from '../contract/ids.ts'
import { parseRateLimits } from '../contract/rate-windows.ts'
import { describeJob } from '../service/describe-job.ts'
import { timestamp } from '../service/describe-video.ts'
import { readWebhookSecret, rotateWebhookSecret } from '../service/webhook-secret.ts'
import type { Env } from '../settings.ts'
import {
  findAccount,
  findApiKey,
  insertApiKey,
  listAccounts,
  listApiKeys,
  markRevoked,
  type ApiKeyRow,
} from '../store/accounts.ts'
import { listAttempts, listJobs } from '../store/jobs.ts'
import { changeAccount, createAccount, describeAccount } from './administer-accounts.ts'
import { listWebhooks, replayWebhook } from './administer-webhooks.ts'
import { keyGate } from '../durable/key-gate.ts'
import { replayJob, requireJob } from './replay-job.ts'

type Request<Command extends AdminCommand> = Extract<AdminRequest, { command: Command }>

/** Runs one command of the operator. Keys are written to D1, then to their gate, then answered. */
export async function runAdminCommand(
  env: Env,
  request: AdminRequest,
  now: number,
): Promise<AdminAnswer<AdminCommand>> {
  switch (request.command) {
    case 'accounts.create':
      return createAccount(env, request, now)
    case 'accounts.change':
      return changeAccount(env, request)
    case 'accounts.list':
      return { accounts: (await listAccounts(env.DB)).map(describeAccount) }
    case 'keys.create':
      return createKey(env, request, now)
    case 'keys.list':
      return { keys: (await listApiKeys(env.DB, request.accountId)).map(describeKey) }
    case 'keys.revoke':
      return revokeKey(env, request, now)
    case 'jobs.list': {
      const { status, videoId, limit = 25 } = request
      const found = await listJobs(env.DB, { status, videoId, limit })
      return { jobs: found.map(summarizeJob) }
    }
    case 'jobs.show':
      return showJob(env, request.jobId)
    case 'jobs.replay':
      return replayJob(env, request.jobId, now)
    case 'webhooks.list':
      return listWebhooks(env, request)
    case 'webhooks.replay':
      return replayWebhook(env, request.deliveryId, now)
    case 'webhooks.show-secret':
    case 'webhooks.rotate-secret': {
      const { accountId, command } = request
      const secretOf = command === 'webhooks.show-secret' ? readWebhookSecret : rotateWebhookSecret
      return { accountId, ...(await secretOf(env, accountId, now)) }
    }
  }
}

async function showJob(env: Env, id: string) {
  const found = await requireJob(env, id)
  return describeJob(found, await listAttempts(env.DB, found.job.id))
}

async function createKey(env: Env, request: Request<'keys.create'>, now: number) {
  const account = await findAccount(env.DB, request.accountId)
  if (!account) throw new AppError('NotFound', `There is no account ${request.accountId}.`)
  const expiresAt = request.expiresAt === undefined ? null : Date.parse(request.expiresAt)
  if (expiresAt !== null && expiresAt <= now) {
    throw invalidRequest([{ field: 'expiresAt', message: 'Must lie in the future' }])
  }
  const apiKey = mintApiKey()
  const row: ApiKeyRow = {
    id: mintId('k'),
    accountId: account.id,
    name: request.name ?? null,
    hash: await hashApiKey(apiKey),
    hint: keyHint(apiKey),
    scopes: request.scopes,
    createdAt: now,
    expiresAt,
    revokedAt: null,
  }
  await insertApiKey(env.DB, row)
  await keyGate(env, row.hash).enroll({
    keyId: row.id,
    accountId: account.id,
    scopes: request.scopes,
    expiresAt,
    revokedAt: null,
    rateLimits: account.rateLimits === null ? null : parseRateLimits(account.rateLimits),
  })
  return { apiKey, ...describeGrant(row) }
}

async function revokeKey(env: Env, request: Request<'keys.revoke'>, now: number) {
  const key = await findApiKey(env.DB, request.keyId)
  if (!key) throw new AppError('NotFound', `There is no key ${request.keyId}.`)
  const at = key.revokedAt ?? now
  if (key.revokedAt === null) await markRevoked(env.DB, key.id, at)
  // Told again even when the row says revoked: the first telling may have been lost.
  await keyGate(env, key.hash).revoke(at)
  return { keyId: key.id, revokedAt: timestamp(at) }
}

/** What a key may do and how long, without a trace of the key. */
function describeGrant(row: ApiKeyRow) {
  const known: readonly string[] = scopes
  return {
    keyId: row.id,
    accountId: row.accountId,
    name: row.name,
    scopes: row.scopes.filter((scope): scope is Scope => known.includes(scope)),
    createdAt: timestamp(row.createdAt),
    expiresAt: row.expiresAt === null ? null : timestamp(row.expiresAt),
  }
}

function describeKey(row: ApiKeyRow) {
  return {
    ...describeGrant(row),
    hint: row.hint,
    revokedAt: row.revokedAt === null ? null : timestamp(row.revokedAt),
  }
}

function summarizeJob({ job, video }: Awaited<ReturnType<typeof listJobs>>[number]) {
  return {
    jobId: job.id,
    videoId: video.id,
    videoName: video.name,
    accountId: job.accountId,
    status: video.status,
    attempts: job.attempts,
    reason: job.error?.reason ?? null,
    deadLetteredAt: job.deadLetteredAt === null ? null : timestamp(job.deadLetteredAt),
    createdAt: timestamp(job.createdAt),
    lastUpdatedAt: timestamp(video.updatedAt),
  }
}

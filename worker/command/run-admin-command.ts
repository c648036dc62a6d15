import type {
  AdminAnswer,
  AdminCommand,
  AdminKey,
  AdminRequest,
  AdminDelivery,
} from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { jobWithProgress } from '../durable/job/ask-progress.ts'
import { withTraces } from '../service/jobs/attempt-traces.ts'
import { describeJob } from '../service/jobs/describe-job.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { readWebhookSecret, rotateWebhookSecret } from '../service/webhooks/webhook-secret.ts'
import { readSettings, type Env } from '../settings.ts'
import { listAccounts, findAccount } from '../store/people/accounts.ts'
import { findApiKey, listApiKeys, type ApiKeyRow } from '../store/people/api-keys.ts'
import { listAttempts, listJobs, type SummarizedJob } from '../store/jobs/jobs.ts'
import { changeAccount, createAccount, describeAccount } from './administer-accounts.ts'
import { describeKey, issueKey, revokeKey } from './api-keys.ts'
import { replayJob, requireJob } from './replay-job.ts'
import { redeliver, describeDelivery } from '../service/webhooks/deliveries.ts'
import { findDelivery, listAllDeliveries } from '../store/webhooks/deliveries.ts'
import { mintId } from '../contract/ids.ts'
import { listMembers } from '../store/people/members.ts'
import { makeToken } from '../store/people/one-time-tokens.ts'
import { findFirstOwner, insertFirstOwner } from '../store/people/people.ts'

/** Runs one of the operator's commands. A new key is written to D1, then to its gate, and only then returned. */
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
      return { ...(await issueKey(env, request, now)), accountId: request.accountId }
    case 'keys.list':
      return { keys: (await listApiKeys(env.DB, request.accountId)).map(describeOwnedKey) }
    case 'keys.revoke':
      return revokeKeyById(env, request.keyId, now)
    case 'jobs.list':
      return { jobs: await summarizeJobs(env, request) }
    case 'jobs.show':
      return showJob(env, request.jobId)
    case 'jobs.replay':
      return replayJob(env, request.jobId, now)
    case 'webhooks.list':
      return listWebhooks(env, request)
    case 'webhooks.replay':
      return replayWebhook(env, request.deliveryId, now)
    case 'people.link':
      return linkPerson(env, request, now)
    case 'webhooks.show-secret':
    case 'webhooks.rotate-secret': {
      const { accountId, command } = request
      const secretOf = command === 'webhooks.show-secret' ? readWebhookSecret : rotateWebhookSecret
      return { accountId, ...(await secretOf(env, accountId, now)) }
    }
  }
}

async function summarizeJobs(
  env: Env,
  { status, videoId, limit = 25 }: Extract<AdminRequest, { command: 'jobs.list' }>,
) {
  return (await listJobs(env.DB, { status, videoId, limit })).map(summarizeJob)
}

async function showJob(env: Env, id: string) {
  const job = await requireJob(env, id)
  const found = await jobWithProgress(env, job, async () => requireJob(env, id))
  return describeJob(found, await withTraces(env, await listAttempts(env.DB, found.job.id)))
}

async function revokeKeyById(env: Env, id: string, now: number) {
  const key = await findApiKey(env.DB, id)
  if (!key) throw new AppError('NotFound', `There is no key ${id}.`)
  return { keyId: key.id, revokedAt: timestamp(await revokeKey(env, key, now)) }
}

function describeOwnedKey(row: ApiKeyRow): AdminKey {
  return { ...describeKey(row), accountId: row.accountId }
}

function summarizeJob({ job, video }: SummarizedJob) {
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

async function listWebhooks(
  env: Env,
  request: Extract<AdminRequest, { command: 'webhooks.list' }>,
): Promise<AdminAnswer<'webhooks.list'>> {
  const { accountId, status, limit = 25 } = request
  const found = await listAllDeliveries(env.DB, { accountId, status, limit })
  return {
    deliveries: found.map((row) => ({
      accountId: row.delivery.accountId,
      ...describeDelivery(row),
    })),
  }
}

/** The operator may redeliver the webhooks of any account. */
async function replayWebhook(env: Env, deliveryId: string, now: number): Promise<AdminDelivery> {
  const found = await findDelivery(env.DB, deliveryId)
  if (!found) throw new AppError('NotFound', `There is no delivery ${deliveryId}.`)
  const { accountId } = found.delivery
  return { accountId, ...(await redeliver(env, { deliveryId, accountId }, now)) }
}

/** A link that signs a person in once: the person with this address, or else the first owner of the account. */
async function linkPerson(
  env: Env,
  { accountId, email }: { accountId: string; email?: string | undefined },
  now: number,
): Promise<AdminAnswer<'people.link'>> {
  const account = await findAccount(env.DB, accountId)
  if (!account) throw new AppError('NotFound', `There is no account ${accountId}.`)
  const personId =
    email === undefined
      ? await firstOwner(env, accountId, now)
      : await memberWith(env, accountId, email)
  const asked = { purpose: 'sign-in', personId, details: { accountId } } as const
  const { token, expiresAt } = await makeToken(env.DB, asked, now)
  const url = `${readSettings(env).baseUrl}/app/link/${token}`
  return { url, expiresAt: timestamp(expiresAt) }
}

/** The first owner of the account; an account without an owner gets one. */
async function firstOwner(env: Env, accountId: string, now: number): Promise<string> {
  await insertFirstOwner(env.DB, { id: mintId('p'), accountId, createdAt: now })
  const owner = await findFirstOwner(env.DB, accountId)
  if (!owner) throw new AppError('Conflict', `The owner of ${accountId} was just removed.`)
  return owner.id
}

async function memberWith(env: Env, accountId: string, email: string): Promise<string> {
  const members = await listMembers(env.DB, accountId)
  const member = members.find((one) => one.email === email)
  if (!member) throw new AppError('NotFound', `Nobody in ${accountId} has the address ${email}.`)
  return member.personId
}

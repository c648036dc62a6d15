import { AppError } from '../../contract/answers/errors.ts'
import type { WebhookSecretRecord } from '../../contract/webhooks/webhook-delivery.ts'
import { mintWebhookSecret } from './sign-webhook.ts'
import type { Env } from '../../settings.ts'
import { findAccount, replaceWebhookSecret, type AccountRow } from '../../store/people/accounts.ts'
import { timestamp } from '../videos/describe-video.ts'

/** Long enough to give every receiver the new secret. */
const overlapMs = 86_400_000

export async function readWebhookSecret(
  env: Env,
  accountId: string,
  now: number,
): Promise<WebhookSecretRecord> {
  return describeSecret(await findAccount(env.DB, accountId), accountId, now)
}

/** The current secret becomes the previous one, even if there was a previous one already. */
export async function rotateWebhookSecret(
  env: Env,
  accountId: string,
  now: number,
): Promise<WebhookSecretRecord> {
  const change = { secret: mintWebhookSecret(), previousExpiresAt: now + overlapMs }
  return describeSecret(await replaceWebhookSecret(env.DB, accountId, change), accountId, now)
}

function describeSecret(
  account: AccountRow | undefined,
  accountId: string,
  now: number,
): WebhookSecretRecord {
  if (!account) throw new AppError('NotFound', `There is no account ${accountId}.`)
  const { webhookSecret: secret, previousWebhookSecret, previousSecretExpiresAt } = account
  if (previousSecretExpiresAt === null || previousSecretExpiresAt <= now) {
    return { secret, previousSecret: null, previousExpiresAt: null }
  }
  const previousExpiresAt = timestamp(previousSecretExpiresAt)
  return { secret, previousSecret: previousWebhookSecret, previousExpiresAt }
}

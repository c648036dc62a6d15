import type { AdminAnswer, AdminDelivery, AdminRequest } from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { describeDelivery } from '../service/webhooks/describe-delivery.ts'
import { redeliver } from '../service/webhooks/redeliver.ts'
import type { Env } from '../settings.ts'
import { findDelivery, listAllDeliveries } from '../store/webhooks/deliveries.ts'

export async function listWebhooks(
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
export async function replayWebhook(
  env: Env,
  deliveryId: string,
  now: number,
): Promise<AdminDelivery> {
  const found = await findDelivery(env.DB, deliveryId)
  if (!found) throw new AppError('NotFound', `There is no delivery ${deliveryId}.`)
  const { accountId } = found.delivery
  return { accountId, ...(await redeliver(env, { deliveryId, accountId }, now)) }
}

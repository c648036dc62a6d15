import type { AdminAnswer, AdminDelivery, AdminRequest } from '../contract/admin.ts'
import { AppError } from '../contract/errors.ts'
import { describeDelivery } from '../service/describe-delivery.ts'
import { redeliver } from '../service/redeliver.ts'
import { allShards, findAnywhere } from '../service/shards.ts'
import type { Env } from '../settings.ts'
import { findDelivery, listAllDeliveries } from '../store/deliveries.ts'

export async function listWebhooks(
  env: Env,
  request: Extract<AdminRequest, { command: 'webhooks.list' }>,
): Promise<AdminAnswer<'webhooks.list'>> {
  const { accountId, status, limit = 25 } = request
  const lists = await Promise.all(
    allShards(env).map(async ({ DB }) => listAllDeliveries(DB, { accountId, status, limit })),
  )
  const newest = lists.flat().sort((a, b) => b.delivery.createdAt - a.delivery.createdAt)
  const found = newest.slice(0, limit)
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
  const known = await findAnywhere(env, async ({ DB }) => findDelivery(DB, deliveryId))
  if (!known) throw new AppError('NotFound', `There is no delivery ${deliveryId}.`)
  const { accountId } = known.found.delivery
  return { accountId, ...(await redeliver(known.at, { deliveryId, accountId }, now)) }
}

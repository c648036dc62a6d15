import type { Env } from '../../settings.ts'
import { describeError, log } from '../log.ts'

/** Puts a stored delivery on the queue. If the queue refuses it, the sweep hands it over. */
export async function sendDelivery(env: Env, deliveryId: string): Promise<void> {
  await sendDeliveries(env, [deliveryId])
}

/** Puts the deliveries of one event on the queue, in one call. */
export async function sendDeliveries(env: Env, deliveryIds: readonly string[]): Promise<void> {
  const messages = deliveryIds.map((deliveryId) => ({ kind: 'deliver', deliveryId }))
  try {
    const [only, ...more] = messages
    if (only && more.length === 0) await env.WEBHOOKS.send(only)
    else await env.WEBHOOKS.sendBatch(messages.map((body) => ({ body })))
  } catch (error) {
    log('warn', 'queue refused a delivery; the sweep will hand it over', {
      deliveryIds,
      ...describeError(error),
    })
  }
}

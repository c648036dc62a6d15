import { mintId } from '../contract/ids.ts'
import { webhookLimits } from '../contract/limits.ts'
import type { DeliveryRecord } from '../contract/webhook-delivery.ts'
import { testEventType, type WebhookTestEvent } from '../contract/webhook-event.ts'
import { describeDelivery } from '../service/describe-delivery.ts'
import { timestamp } from '../service/describe-video.ts'
import { describeError, log } from '../service/log.ts'
import { deliveryNotFound } from '../service/redeliver.ts'
import { sendDelivery } from '../service/send-delivery.ts'
import type { Env } from '../settings.ts'
import { findDelivery } from '../store/deliveries.ts'
import { insertTestDelivery } from '../store/delivery-changes.ts'
import { webhookEndpoint } from '../durable/webhook-endpoint.ts'

/** One attempt, and a little for the way to the endpoint and back. */
const patienceMs = webhookLimits.attemptMs + 5_000

/**
 * Sends a test event as every other event is sent, and waits for what comes of its only attempt. When the endpoint is
 * busy for longer than that, the answer is a delivery that is pending still.
 */
export async function sendTestWebhook(
  env: Env,
  accountId: string,
  url: string,
  now: number,
): Promise<DeliveryRecord> {
  const eventId = mintId('msg')
  const deliveryId = mintId('dlv')
  const event: WebhookTestEvent = {
    type: testEventType,
    timestamp: timestamp(now),
    data: {
      message: 'This is a test. Webhooks of your videos arrive and are signed like this one.',
    },
  }
  const body = JSON.stringify(event)
  await insertTestDelivery(env.DB, { eventId, deliveryId, accountId, url, body }, now)
  try {
    await webhookEndpoint(env, accountId, url).offerAndWait(deliveryId, now, patienceMs)
  } catch (error) {
    log('warn', 'a test webhook goes by the queue', { deliveryId, ...describeError(error) })
    await sendDelivery(env, deliveryId)
  }
  const found = await findDelivery(env.DB, deliveryId, accountId)
  if (!found) throw deliveryNotFound()
  return describeDelivery(found)
}

import { mintId } from '../contract/ids.ts'
import { webhookLimits } from '../contract/limits.ts'
import type { DeliveryRecord } from '../contract/webhooks/webhook-delivery.ts'
import { testEventType, type WebhookTestEvent } from '../contract/webhooks/webhook-event.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { describeError, log } from '../service/log.ts'
import {
  deliveryNotFound,
  sendDeliveries,
  describeDelivery,
} from '../service/webhooks/deliveries.ts'
import type { Env } from '../settings.ts'
import { findDelivery } from '../store/webhooks/deliveries.ts'
import { insertTestDelivery } from '../store/webhooks/delivery-changes.ts'
import { webhookEndpoint } from '../durable/webhook-endpoint.ts'

/** The time limit of one attempt, and a little more for reaching the endpoint's object and back. */
const patienceMs = webhookLimits.attemptMs + 5_000

/**
 * Sends a test event the way all events are sent, and waits for the result of its only attempt. If the endpoint stays busy
 * beyond that time, the delivery is returned while it is still pending.
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
      message: 'This is a test. Webhooks for your videos are sent and signed in the same way.',
    },
  }
  const body = JSON.stringify(event)
  await insertTestDelivery(env.DB, { eventId, deliveryId, accountId, url, body }, now)
  try {
    await webhookEndpoint(env, accountId, url).offerAndWait(deliveryId, now, patienceMs)
  } catch (error) {
    log('warn', 'a test webhook is sent through the queue instead', {
      deliveryId,
      ...describeError(error),
    })
    await sendDeliveries(env, [deliveryId])
  }
  const found = await findDelivery(env.DB, deliveryId, accountId)
  if (!found) throw deliveryNotFound()
  return describeDelivery(found)
}

import { handOver } from '../durable/webhook-endpoint.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { findDeliveryToHandOver } from '../store/webhooks/deliveries.ts'
import { deliveryMessage, unreadDelaySeconds } from './message.ts'

/** Hands a delivery to its endpoint without waiting: a receiver that is down must not hold up the queue. */
export async function consumeWebhook(message: Message, env: Env): Promise<void> {
  const parsed = deliveryMessage.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'a queue message could not be read')
    message.retry({ delaySeconds: unreadDelaySeconds })
    return
  }
  const { deliveryId } = parsed.data
  try {
    await deliver(env, deliveryId)
    message.ack()
  } catch (error) {
    log('error', 'a delivery could not be handed over', { deliveryId, ...describeError(error) })
    message.retry()
  }
}

async function deliver(env: Env, deliveryId: string): Promise<void> {
  const delivery = await findDeliveryToHandOver(env.DB, deliveryId)
  if (!delivery) return
  const offered = await handOver(env, delivery, Date.now())
  if (offered === 'full') log('warn', 'an endpoint has too many deliveries', { deliveryId })
}

/**
 * A delivery that could not be handed over stays pending in D1. The sweep keeps trying, and ends it when its schedule
 * is long over.
 */
export async function consumeDeadWebhook(message: Message, env: Env): Promise<void> {
  const parsed = deliveryMessage.safeParse(message.body)
  if (!parsed.success) log('error', 'a dead letter could not be read')
  else {
    const { deliveryId } = parsed.data
    log('error', 'a delivery was dead-lettered', { deliveryId })
    await deliver(env, deliveryId).catch((error: unknown) => {
      log('error', 'a dead letter is left to the sweep', { deliveryId, ...describeError(error) })
    })
  }
  message.ack()
}

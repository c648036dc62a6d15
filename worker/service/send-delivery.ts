import type { Env } from '../settings.ts'
import { describeError, log } from './log.ts'

/** Puts a stored delivery on the queue. If the queue refuses it, the sweep hands it over. */
export async function sendDelivery(env: Env, deliveryId: string): Promise<void> {
  try {
    await env.WEBHOOKS.send({ kind: 'deliver', deliveryId })
  } catch (error) {
    log('warn', 'queue refused a delivery; the sweep will hand it over', {
      deliveryId,
      ...describeError(error),
    })
  }
}

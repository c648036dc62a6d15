import { handOver } from '../durable/webhook-endpoint.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import {
  type DeliveryToHandOver,
  listDueDeliveries,
  makeDeliveriesDue,
  postponeDelivery,
} from '../store/deliveries.ts'
import { forgetDeliveries } from '../store/delivery-changes.ts'

/** One tick looks at no more than this; the next one goes on where it stopped. */
const deliveriesPerTick = 500
const atOnce = 8
const forgottenPerTick = 1000
const logKeptMs = 30 * 86_400_000

/** Local queues forget when workerd restarts, so the first sweep of a process looks at every pending delivery. */
let sweptSinceBoot = false

/** Hands over again what was lost on its way to its endpoint or in it, and forgets what is a month old. */
export async function sweepWebhooks(env: Env, now: number): Promise<void> {
  if (!sweptSinceBoot && readSettings(env).environment === 'local') {
    await makeDeliveriesDue(env.DB, now)
    sweptSinceBoot = true
  }
  const due = await listDueDeliveries(env.DB, now, deliveriesPerTick)
  const lookAfterRest = async (): Promise<void> => {
    for (let delivery = due.shift(); delivery; delivery = due.shift()) {
      await lookAfter(env, delivery, now)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lookAfterRest))
  await forgetDeliveries(env.DB, now - logKeptMs, forgottenPerTick)
}

async function lookAfter(env: Env, delivery: DeliveryToHandOver, now: number): Promise<void> {
  try {
    await handOver(env, delivery, now)
    await postponeDelivery(env.DB, delivery.id, now)
  } catch (error) {
    const { id: deliveryId } = delivery
    log('error', 'sweep could not look after a delivery', { deliveryId, ...describeError(error) })
  }
}

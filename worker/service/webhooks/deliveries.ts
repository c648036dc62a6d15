import { AppError } from '../../contract/answers/errors.ts'
import type { DeliveryRecord } from '../../contract/webhooks/webhook-delivery.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findDelivery, type ListedDelivery } from '../../store/webhooks/deliveries.ts'
import { startRedelivery } from '../../store/webhooks/delivery-changes.ts'
import type { ToldEvent } from '../../store/webhooks/tell.ts'
import { describeVideo, timestamp } from '../videos/describe-video.ts'
import { findKeptVideo } from '../videos/find-video.ts'
import { makeLinks } from '../files/file-links.ts'
import { refreshLinks } from '../files/refresh-links.ts'
import { describeError, log } from '../log.ts'

export function deliveryNotFound(): AppError {
  return new AppError('NotFound', 'Delivery not found.')
}

/**
 * Starts the schedule of a delivery again, whatever its status, under the same webhook id. Two requests at the same
 * time send it once; an attempt that is under way counts if it succeeds.
 */
export async function redeliver(
  env: Env,
  asked: { deliveryId: string; accountId?: string },
  now: number,
): Promise<DeliveryRecord> {
  const found = await findDelivery(env.DB, asked.deliveryId, asked.accountId)
  if (!found) throw deliveryNotFound()
  const { delivery, event } = found
  const settings = readSettings(env)
  const body = await refreshLinks(event.body, {
    fileBase: settings.storageUrl,
    now,
    readRecord: async () => {
      // A deleted video has no links, so its event is sent unchanged.
      const video = await findKeptVideo(env, event.accountId, event.videoId)
      return video && describeVideo(video, makeLinks(settings, now))
    },
  })
  const restarted = await startRedelivery(env.DB, { id: delivery.id, eventId: event.id, body }, now)
  if (!restarted) throw deliveryNotFound()
  await sendDeliveries(env, [delivery.id])
  return describeDelivery({ delivery: restarted, event })
}

/** Puts the deliveries of an event that was stored on the queue. */
export async function sendEvent(env: Env, event: ToldEvent | undefined): Promise<void> {
  if (!event) return
  await sendDeliveries(
    env,
    event.deliveries.map(({ deliveryId }) => deliveryId),
  )
}

/** Puts stored deliveries on the queue, in one call. If the queue refuses them, the sweep hands them over. */
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

export function describeDelivery({ delivery, event }: ListedDelivery): DeliveryRecord {
  return {
    deliveryId: delivery.id,
    webhookId: event.id,
    videoId: event.videoId === '' ? null : event.videoId,
    type: event.type,
    url: delivery.url,
    endpointId: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: timestamp(delivery.createdAt),
    nextAttemptAt: delivery.dueAt === null ? null : timestamp(delivery.dueAt),
  }
}

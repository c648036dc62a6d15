import { AppError } from '../../contract/answers/errors.ts'
import type { DeliveryRecord } from '../../contract/webhooks/webhook-delivery.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { startRedelivery } from '../../store/webhooks/delivery-changes.ts'
import { describeDelivery } from './describe-delivery.ts'
import { describeVideo } from '../videos/describe-video.ts'
import { findKeptVideo } from '../videos/find-video.ts'
import { makeLinks } from '../files/file-links.ts'
import { refreshLinks } from '../files/refresh-links.ts'
import { sendDelivery } from './send-delivery.ts'

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
  await sendDelivery(env, delivery.id)
  return describeDelivery({ delivery: restarted, event })
}

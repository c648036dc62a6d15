import type { DeliveryRecord } from '../../contract/webhooks/webhook-delivery.ts'
import type { DeliveryWithEvent } from '../../store/webhooks/deliveries.ts'
import { timestamp } from '../videos/describe-video.ts'

export function describeDelivery({ delivery, event }: DeliveryWithEvent): DeliveryRecord {
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

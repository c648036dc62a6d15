import { z } from 'zod'
import { videoRecord } from '../video/video-record.ts'
import { timestamp } from '../timestamp.ts'

/** How a video may end. */
export const endEventTypes = ['video.succeeded', 'video.failed', 'video.canceled'] as const
/** Events whose data is the record of a video. */
export const videoEventTypes = [
  ...endEventTypes,
  'destinations.delivered',
  'destinations.failed',
] as const
export type VideoEventType = (typeof videoEventTypes)[number]
export const webhookEventTypes = [...videoEventTypes, 'batch.ended'] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** The type of a test event, which shows that an address receives and checks webhooks. It concerns no video. */
export const testEventType = 'webhook.test'
export const deliveryTypes = [...webhookEventTypes, testEventType] as const
export type DeliveryType = (typeof deliveryTypes)[number]

/** The body sent to `webhookUrl`. */
export const webhookEvent = z.object({
  type: z.enum(videoEventTypes),
  timestamp: z.iso
    .datetime()
    .describe('When the video reached its end, or the last of its deliveries did'),
  data: videoRecord.describe('The record as GET /v1/videos/{videoId} answers it'),
})
export type WebhookEvent = z.infer<typeof webhookEvent>

/** The body of a test. */
export const webhookTestEvent = z.object({
  type: z.literal(testEventType),
  timestamp: timestamp.describe('When the test was asked for'),
  data: z.object({ message: z.string().describe('For people') }),
})
export type WebhookTestEvent = z.infer<typeof webhookTestEvent>

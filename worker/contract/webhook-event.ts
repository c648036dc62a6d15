import { z } from 'zod'
import { videoRecord } from './video-record.ts'

export const webhookEventTypes = ['video.succeeded', 'video.failed', 'video.canceled'] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** The body sent to `webhookUrl`. */
export const webhookEvent = z.object({
  type: z.enum(webhookEventTypes),
  timestamp: z.iso.datetime().describe('When the video reached its end'),
  data: videoRecord.describe('The record as GET /v1/videos/{videoId} answers it'),
})
export type WebhookEvent = z.infer<typeof webhookEvent>

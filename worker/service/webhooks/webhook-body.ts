import type { VideoRecord } from '../../contract/video/video-record.ts'
import type { VideoEventType, WebhookEvent } from '../../contract/webhooks/webhook-event.ts'
import { timestamp } from '../videos/describe-video.ts'

/** The body of the webhook about the end of a video, byte for byte. */
export function webhookBody(type: VideoEventType, endedAt: number, data: VideoRecord): string {
  return JSON.stringify({ type, timestamp: timestamp(endedAt), data } satisfies WebhookEvent)
}

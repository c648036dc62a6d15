import type { ShownDelivery } from '../../../contract/storages/destination.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import type {
  DeliveryPage,
  DeliveryRecord,
  WebhookSecretRecord,
} from '../../../contract/webhooks/webhook-delivery.ts'
import { feedCursor, type FeedPage } from '../../../contract/webhooks/webhook-feed.ts'
import type {
  VideoEventType,
  WebhookEvent,
  WebhookTestEvent,
} from '../../../contract/webhooks/webhook-event.ts'
import { canceledVideo, failedVideo, succeededVideo, videoId } from './examples.ts'

const delivered: ShownDelivery = {
  storage: 'out',
  key: `${videoId}/video.mp4`,
  output: 'video',
  state: 'delivered',
}

const endedVideos: Record<VideoEventType, VideoRecord> = {
  'video.succeeded': succeededVideo,
  'video.failed': failedVideo,
  'video.canceled': canceledVideo,
  'destinations.delivered': { ...succeededVideo, destinations: [delivered] },
  'destinations.failed': {
    ...succeededVideo,
    destinations: [
      {
        ...delivered,
        state: 'failed',
        reason:
          'Not delivered in 8 attempts; the last one: an object could not be written (PUT): the storage answered 403, AccessDenied: Access Denied',
      },
    ],
  },
}

export function webhookExample(type: VideoEventType): WebhookEvent {
  return { type, timestamp: '2026-11-21T10:15:03.215Z', data: endedVideos[type] }
}

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

export const webhookSecret: WebhookSecretRecord = {
  secret,
  previousSecret: null,
  previousExpiresAt: null,
}

export const rotatedSecret: WebhookSecretRecord = {
  secret: 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=',
  previousSecret: secret,
  previousExpiresAt: '2026-11-22T10:20:00.000Z',
}

const delivery: DeliveryRecord = {
  deliveryId: 'dlv_4nT0wq9XbK2mHc7R',
  webhookId: 'msg_0DkL5cGv7YqS2nXw9RtBzA',
  videoId,
  type: 'video.succeeded',
  url: 'https://example.com/hooks/spool',
  endpointId: null,
  status: 'succeeded',
  attempts: [
    {
      at: '2026-11-21T10:15:03.480Z',
      statusCode: 503,
      durationMs: 41,
      error: 'Answered 503; only 2xx means received',
      response: 'Service Unavailable',
      redelivery: false,
    },
    {
      at: '2026-11-21T10:15:08.713Z',
      statusCode: 204,
      durationMs: 38,
      error: null,
      response: '',
      redelivery: false,
    },
  ],
  createdAt: '2026-11-21T10:15:03.215Z',
  nextAttemptAt: null,
}

export const deliveryPage: DeliveryPage = { data: [delivery], nextCursor: null }

const told = { ...webhookExample('video.failed'), type: 'video.failed' as const }

export const feedPage: FeedPage = {
  data: [
    {
      webhookId: 'msg_0DkL5cGv7YqS2nXw9RtBzA',
      type: told.type,
      videoId: told.data.videoId,
      timestamp: told.timestamp,
      body: JSON.stringify(told),
    },
  ],
  nextCursor: feedCursor(Date.parse(told.timestamp)),
}

export const redelivered: DeliveryRecord = {
  ...delivery,
  status: 'pending',
  nextAttemptAt: '2026-11-21T11:02:10.004Z',
}

export const testRequest = { webhookUrl: 'https://example.com/hooks/spool' }

export const testEvent: WebhookTestEvent = {
  type: 'webhook.test',
  timestamp: '2026-11-21T10:20:00.000Z',
  data: {
    message: 'This is a test. Webhooks for your videos are sent and signed in the same way.',
  },
}

const tested = {
  webhookId: 'msg_5tRw8ZkQ1nYcB4vLx7HsJd',
  videoId: null,
  type: 'webhook.test',
  url: testRequest.webhookUrl,
  endpointId: null,
  createdAt: testEvent.timestamp,
  nextAttemptAt: null,
} satisfies Partial<DeliveryRecord>

export const testReceived: DeliveryRecord = {
  ...tested,
  deliveryId: 'dlv_8kQz1bXn5TyWc3Lp',
  status: 'succeeded',
  attempts: [
    {
      at: '2026-11-21T10:20:00.031Z',
      statusCode: 200,
      durationMs: 38,
      error: null,
      response: 'ok',
      redelivery: false,
    },
  ],
}

export const testRefused: DeliveryRecord = {
  ...tested,
  deliveryId: 'dlv_2mVx7dRj9QsFh6Ka',
  status: 'exhausted',
  attempts: [
    {
      at: '2026-11-21T10:20:00.031Z',
      statusCode: 401,
      durationMs: 22,
      error: 'Answered 401; only 2xx means received',
      response: 'no signature is good',
      redelivery: false,
    },
  ],
}

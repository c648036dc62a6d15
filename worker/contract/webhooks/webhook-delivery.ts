import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { deliveryId, videoId, webhookEndpointId } from '../ids.ts'
import { webhookLimits } from '../limits.ts'
import { nextCursor, pageAsked } from '../video/page-cursor.ts'
import { webhookAddress } from '../options/media-url.ts'
import { deliveryTypes } from './webhook-event.ts'
import { worded } from '../answers/wording.ts'
import { timestamp } from '../timestamp.ts'

const { loggedAnswerBytes, loggedAttempts } = webhookLimits

export const deliveryStatuses = ['pending', 'succeeded', 'exhausted', 'stopped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliveryAttempt = z.object({
  at: timestamp.describe('When the request was sent'),
  statusCode: z
    .int()
    .nullable()
    .describe(
      'The status of the answer; null when there was no answer, and for every failure at a private host',
    ),
  durationMs: z
    .int()
    .min(0)
    .describe(
      'From sending until the answer ended or the attempt timed out; 0 for every failure at a private host',
    ),
  error: z.string().nullable().describe('Why the attempt counts as failed; null when it succeeded'),
  response: z
    .string()
    .describe(
      `The first ${loggedAnswerBytes} bytes of the answer, as text; empty for a private host`,
    ),
  redelivery: z.boolean().describe('True when the attempt belongs to a redelivery'),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

export const deliveryRecord = z.object({
  deliveryId,
  webhookId: z
    .string()
    .describe('The webhook-id of the event: the same in every attempt and redelivery'),
  videoId: videoId.nullable().describe('The video that ended; null for a batch and for a test'),
  type: z.enum(deliveryTypes),
  url: z.string().describe('Where it is sent'),
  endpointId: webhookEndpointId
    .nullable()
    .describe(
      'The endpoint of your account that it is for; null when the request named the address',
    ),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`pending` while attempts are to come; `succeeded` after a 2xx; `exhausted` when the last attempt has failed; `stopped` after a 410, or when its endpoint was disabled or deleted',
    ),
  attempts: z.array(deliveryAttempt).describe(`Oldest first; the last ${loggedAttempts} of them`),
  createdAt: timestamp.describe('When the video reached its end, or the test was asked for'),
  nextAttemptAt: z.iso
    .datetime()
    .nullable()
    .describe('The earliest time of the next attempt; null when there is none'),
})
export type DeliveryRecord = z.infer<typeof deliveryRecord>

export const deliveryPage = z.object({
  data: z.array(deliveryRecord).describe('Newest first'),
  nextCursor,
})
export type DeliveryPage = z.infer<typeof deliveryPage>

export const listDeliveriesQuery = closedObject({
  videoId: videoId.optional().describe('Only deliveries of this video'),
  ...pageAsked('dlv_[0-9A-Za-z]{16}'),
})

/** The body of POST /v1/webhooks/test. */
export const testWebhook = worded(
  closedObject(
    {
      webhookUrl: webhookAddress.describe(
        'Where to send a test event; the rules are those of webhookUrl in a video',
      ),
    },
    { url: 'Unknown field; did you mean webhookUrl?' },
  ),
  'an object such as {"webhookUrl": "https://example.com/hooks"}',
)

export const webhookSecretRecord = z.object({
  secret: z.string().describe('Signs every webhook: whsec_ and the key in base64'),
  previousSecret: z
    .string()
    .nullable()
    .describe('Also signs every webhook for 24 hours after a rotation; null otherwise'),
  previousExpiresAt: timestamp.nullable().describe('When the previous secret stops signing'),
})
export type WebhookSecretRecord = z.infer<typeof webhookSecretRecord>

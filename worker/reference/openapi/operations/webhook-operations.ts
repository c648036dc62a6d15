import { answer, invalid } from '../answers.ts'
import * as examples from '../examples/webhook-examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { rateHeaderNames } from '../headers.ts'
import type { DescribedOperation } from '../openapi-types.ts'
import {
  deliveryIdParameter,
  listDeliveriesParameters,
  listEventsParameters,
} from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

export const readSecretOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Read the secret of your webhooks',
  description:
    'The secret that signs every webhook of the account. Needs write access, because anybody who has the secret can sign like the service.',
  parameters: [],
  responses: {
    200: answer({
      description: 'The secret.',
      schema: 'WebhookSecret',
      examples: { secret: ['No rotation under way', examples.webhookSecret] },
    }),
    ...keyFailures,
  },
}

export const rotateSecretOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Rotate the secret of your webhooks',
  description:
    'Makes a new secret. For 24 hours every webhook is signed with both secrets, so that you can change your receivers meanwhile. A second rotation within that time ends the oldest secret at once.',
  parameters: [],
  responses: {
    200: answer({
      description: 'The new secret, and the previous one.',
      schema: 'WebhookSecret',
      examples: { rotated: ['Just rotated', examples.rotatedSecret] },
    }),
    ...keyFailures,
  },
}

export const testWebhookOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Send a test webhook',
  description:
    'Sends an event of type `webhook.test`, signed and logged like every webhook. The rules for its address are those of `webhookUrl` in a video. It is tried once, and the receiver has 15 seconds. The answer is the delivery with what the receiver answered. If four attempts to the same host are already under way, the test waits for them; after 20 seconds the answer is the delivery while still `pending`, and its result appears in the list of deliveries later.',
  parameters: [],
  requestBody: bodyRef('TestWebhook'),
  responses: {
    200: answer({
      description: 'The test was sent; `status` and the attempt have its result.',
      schema: 'WebhookDelivery',
      examples: {
        received: ['Received', examples.testReceived],
        refused: ['The receiver has another secret', examples.testRefused],
      },
    }),
    400: invalid({
      address: fault('ValidationError', 'webhookUrl: Must be an https:// address', {
        details: [{ field: 'webhookUrl', message: 'Must be an https:// address' }],
      }),
    }),
    ...keyFailures,
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const listEventsOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'List events',
  description:
    'Every video that has ended, with the body that its webhook carries, whether or not there is anybody to tell. For programs that no webhook can reach: ask again with `nextCursor` for what came after, every second or two; nothing is left out. Events of deleted videos are not listed.',
  parameters: listEventsParameters(),
  responses: {
    200: answer({
      description: 'The next events; empty while nothing has ended.',
      schema: 'WebhookFeedPage',
      examples: {
        page: ['One video has ended', examples.feedPage],
        none: ['Nothing yet', { ...examples.feedPage, data: [] }],
      },
    }),
    400: invalid({
      cursor: fault('ValidationError', 'cursor: Must be the nextCursor of an earlier page', {
        details: [{ field: 'cursor', message: 'Must be the nextCursor of an earlier page' }],
      }),
    }),
    ...keyFailures,
  },
}

export const listDeliveriesOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'List deliveries of webhooks',
  description:
    'What was sent, when, and what your receiver answered; newest first, kept for 30 days. Pass `nextCursor` as `cursor` until it is null.',
  parameters: listDeliveriesParameters(),
  responses: {
    200: answer({
      description: 'One page.',
      schema: 'WebhookDeliveryPage',
      examples: { page: ['One that arrived at the second attempt', examples.deliveryPage] },
    }),
    400: invalid({
      cursor: fault('ValidationError', 'cursor: Must be the nextCursor of an earlier page', {
        details: [{ field: 'cursor', message: 'Must be the nextCursor of an earlier page' }],
      }),
    }),
    ...keyFailures,
  },
}

export const redeliverOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Deliver a webhook again',
  description:
    'Sends the webhook again at once, and by the whole schedule if that fails, whatever its status. The webhook id and the body stay the same, except that expired links are signed again. Two requests at the same time, or one during an attempt that succeeds, send the webhook once.',
  parameters: [deliveryIdParameter],
  responses: {
    202: answer({
      description: 'The delivery, pending again.',
      schema: 'WebhookDelivery',
      examples: { pending: ['Pending again', examples.redelivered] },
    }),
    ...keyFailures,
    404: failure({
      description: 'There is no such delivery, or it is not yours, or it is older than 30 days.',
      headers: [...rateHeaderNames],
      examples: { missing: fault('NotFound', 'Delivery not found.') },
    }),
  },
}

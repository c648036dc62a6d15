import { answer, invalid } from './answers.ts'
import * as examples from './webhook-examples.ts'
import { failure, fault, keyFailures, sharedFailure } from './failures.ts'
import { rateHeaderNames } from './headers.ts'
import type { JsonSchema, DescribedOperation, RequestBody } from './openapi-types.ts'
import { deliveryIdParameter, listDeliveriesParameters } from './parameters.ts'

export const readSecretOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Read the secret of your webhooks',
  description:
    'What every webhook of the account is signed with. Anybody who has it can sign as the service does, so a key that may only read does not get it.',
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
  summary: 'Exchange the secret of your webhooks',
  description:
    'Makes a new secret. For 24 hours every webhook is signed with both, so that receivers can be taught the new one meanwhile. A second rotation within that time ends the oldest secret at once.',
  parameters: [],
  responses: {
    200: answer({
      description: 'The new secret, and the one it follows.',
      schema: 'WebhookSecret',
      examples: { rotated: ['Just rotated', examples.rotatedSecret] },
    }),
    ...keyFailures,
  },
}

export function testWebhookBody(schema: JsonSchema): RequestBody {
  return {
    description: 'Where to send it.',
    required: true,
    content: {
      'application/json': {
        schema: { title: 'TestWebhook', ...schema },
        examples: { test: { summary: 'An address of yours', value: examples.testRequest } },
      },
    },
  }
}

export const testWebhookOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'Send a test webhook',
  description:
    'Sends an event of type `webhook.test`, signed and logged as every webhook is, to an address that is vetted as in a create. It is tried once. The answer is the delivery with what the receiver said; a receiver has 15 seconds. When four attempts are under way to the same host already, the test waits behind them, and after 20 seconds the answer is the delivery as it is then, `pending`: it is found in the list of deliveries later.',
  parameters: [],
  requestBody: { $ref: '#/components/requestBodies/TestWebhook' },
  responses: {
    200: answer({
      description: 'The test was sent; `status` and the attempt say what came of it.',
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

export const listDeliveriesOperation: DescribedOperation = {
  tags: ['Deliveries'],
  summary: 'List deliveries of webhooks',
  description:
    'What was sent, when, and what your receiver answered; newest first, kept for 30 days. Give `nextCursor` back as `cursor` until it is null.',
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
    'Sends it again, now, and by the whole schedule if that fails, whatever became of it before. The webhook id stays the same and so does the body; only links in it that have expired are signed afresh. Asking twice at once, or while an attempt is under way that succeeds, sends it once.',
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

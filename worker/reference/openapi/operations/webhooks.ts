import { endpointsPerAccount } from '../../../contract/limits.ts'
import * as deliveries from '../../../contract/webhooks/webhook-delivery.ts'
import * as endpoints from '../../../contract/webhooks/webhook-endpoint.ts'
import { feedQuery } from '../../../contract/webhooks/webhook-feed.ts'
import type { Described } from '../describe-operation.ts'
import * as endpointExamples from '../examples/endpoint-examples.ts'
import * as examples from '../examples/webhook-examples.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'

const taken = fault('Conflict', 'This account already has a webhook endpoint with this address.')

const insecure = invalid({
  insecure: wrong('url', 'Must be an https:// address'),
})

export const listWebhookEndpoints: Described = {
  summary: 'List your webhook endpoints',
  description: 'The addresses that get the events of every video of the account.',
  responses: {
    200: {
      description: 'All of them.',
      schema: 'WebhookEndpointPage',
      examples: { page: ['One endpoint', endpointExamples.endpointPage] },
    },
  },
}

export const createWebhookEndpoint: Described = {
  summary: 'Create a webhook endpoint',
  description: `From now on every video of the account that ends is told to this address, beside the \`webhookUrl\` that its request may name: the same event, with the same id and the same secret, as a delivery of its own. An address that is both gets the event once. An account has at most ${endpointsPerAccount} endpoints.`,
  body: {
    schema: endpoints.createEndpoint,
    description: 'The address, and which events it gets.',
    examples: {
      all: ['Every event', endpointExamples.createEndpointRequest],
      failures: ['Failures only', endpointExamples.failuresRequest],
    },
  },
  responses: {
    201: {
      description: 'The endpoint.',
      schema: 'WebhookEndpoint',
      examples: { created: ['It gets every event', endpointExamples.endpoint] },
      headers: ['Location'],
    },
    400: insecure,
    409: conflict('The address is an endpoint already, or the account has too many.', {
      taken,
      full: fault(
        'Conflict',
        `The account has ${endpointsPerAccount} webhook endpoints already; delete one first.`,
      ),
    }),
  },
}

export const getWebhookEndpoint: Described = {
  summary: 'Read one webhook endpoint',
  description: 'Where it is, and which events it gets.',
  responses: {
    200: {
      description: 'The endpoint.',
      schema: 'WebhookEndpoint',
      examples: { enabled: ['It gets every event', endpointExamples.endpoint] },
    },
  },
}

export const changeWebhookEndpoint: Described = {
  summary: 'Change a webhook endpoint',
  description:
    'A new address is where its deliveries go from now on, those on their way among them. Disabling it stops those on their way; enabling it does not start them again, but each can be redelivered.',
  body: {
    schema: endpoints.changeEndpoint,
    description: 'What to change.',
    examples: { disable: ['No events for now', endpointExamples.changeEndpointRequest] },
  },
  responses: {
    200: {
      description: 'The endpoint as it is now.',
      schema: 'WebhookEndpoint',
      examples: { disabled: ['Disabled', endpointExamples.disabledEndpoint] },
    },
    400: insecure,
    409: conflict('The address is that of another endpoint.', { taken }),
  },
}

export const deleteWebhookEndpoint: Described = {
  summary: 'Delete a webhook endpoint',
  description: 'It gets no more events, and deliveries on their way to it are stopped.',
  responses: {
    204: { description: 'It is gone.' },
  },
}

export const getWebhookSecret: Described = {
  summary: 'Read the secret of your webhooks',
  description:
    'The secret that signs every webhook of the account. Needs write access, because anybody who has the secret can sign like the service.',
  responses: {
    200: {
      description: 'The secret.',
      schema: 'WebhookSecret',
      examples: { secret: ['No rotation under way', examples.webhookSecret] },
    },
  },
}

export const rotateWebhookSecret: Described = {
  summary: 'Rotate the secret of your webhooks',
  description:
    'Makes a new secret. For 24 hours every webhook is signed with both secrets, so that you can change your receivers meanwhile. A second rotation within that time ends the oldest secret at once.',
  responses: {
    200: {
      description: 'The new secret, and the previous one.',
      schema: 'WebhookSecret',
      examples: { rotated: ['Just rotated', examples.rotatedSecret] },
    },
  },
}

export const testWebhook: Described = {
  summary: 'Send a test webhook',
  description:
    'Sends an event of type `webhook.test`, signed and logged like every webhook. The rules for its address are those of `webhookUrl` in a video. It is tried once, and the receiver has 15 seconds. The answer is the delivery with what the receiver answered. If four attempts to the same host are already under way, the test waits for them; after 20 seconds the answer is the delivery while still `pending`, and its result appears in the list of deliveries later.',
  body: {
    schema: deliveries.testWebhook,
    description: 'Where to send the test.',
    examples: { test: ['An address of yours', examples.testRequest] },
  },
  responses: {
    200: {
      description: 'The test was sent; `status` and the attempt have its result.',
      schema: 'WebhookDelivery',
      examples: {
        received: ['Received', examples.testReceived],
        refused: ['The receiver has another secret', examples.testRefused],
      },
    },
    400: invalid({
      address: wrong('webhookUrl', 'Must be an https:// address'),
    }),
  },
}

export const listWebhookEvents: Described = {
  summary: 'List events',
  description:
    'Every video that has ended, with the body that its webhook carries, whether or not there is anybody to tell. For programs that no webhook can reach: ask again with `nextCursor` for what came after, every second or two; nothing is left out. Events of deleted videos are not listed.',
  query: feedQuery,
  responses: {
    200: {
      description: 'The next events; empty while nothing has ended.',
      schema: 'WebhookFeedPage',
      examples: {
        page: ['One video has ended', examples.feedPage],
        none: ['Nothing yet', { ...examples.feedPage, data: [] }],
      },
    },
    400: invalid({
      cursor: wrong('cursor', 'Must be the nextCursor of an earlier page'),
    }),
  },
}

export const listWebhookDeliveries: Described = {
  summary: 'List deliveries of webhooks',
  description:
    'What was sent, when, and what your receiver answered; newest first, kept for 30 days. Pass `nextCursor` as `cursor` until it is null.',
  query: deliveries.listDeliveriesQuery,
  responses: {
    200: {
      description: 'One page.',
      schema: 'WebhookDeliveryPage',
      examples: { page: ['One that arrived at the second attempt', examples.deliveryPage] },
    },
    400: invalid({
      cursor: wrong('cursor', 'Must be the nextCursor of an earlier page'),
    }),
  },
}

export const redeliverWebhook: Described = {
  summary: 'Deliver a webhook again',
  description:
    'Sends the webhook again at once, and by the whole schedule if that fails, whatever its status. The webhook id and the body stay the same, except that expired links are signed again. Two requests at the same time, or one during an attempt that succeeds, send the webhook once.',
  responses: {
    202: {
      description: 'The delivery, pending again.',
      schema: 'WebhookDelivery',
      examples: { pending: ['Pending again', examples.redelivered] },
    },
  },
}

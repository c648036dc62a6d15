import { endpointsPerAccount } from '../../../contract/limits.ts'
import * as deliveries from '../../../contract/webhooks/webhook-delivery.ts'
import * as endpoints from '../../../contract/webhooks/webhook-endpoint.ts'
import { feedQuery } from '../../../contract/webhooks/webhook-feed.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import * as examples from '../examples/webhook-examples.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'
import type {
  ChangeEndpoint,
  CreateEndpoint,
  EndpointPage,
  EndpointRecord,
} from '../../../contract/webhooks/webhook-endpoint.ts'

const createEndpointRequest: CreateEndpoint = {
  url: 'https://example.com/hooks/all',
  description: 'The archive',
}

const failuresRequest: CreateEndpoint = {
  url: 'https://example.com/hooks/failures',
  eventTypes: ['video.failed'],
}

const changeEndpointRequest: ChangeEndpoint = { enabled: false }

const endpoint: EndpointRecord = {
  endpointId: 'we_7sLq2Xv9TbNc4Wd1',
  url: 'https://example.com/hooks/all',
  description: 'The archive',
  eventTypes: null,
  enabled: true,
  createdAt: '2026-11-21T10:02:11.870Z',
  lastUpdatedAt: '2026-11-21T10:02:11.870Z',
}

const disabledEndpoint: EndpointRecord = {
  ...endpoint,
  enabled: false,
  lastUpdatedAt: '2026-11-21T11:40:03.004Z',
}

const endpointPage: EndpointPage = { data: [endpoint], nextCursor: null }

const taken = fault('Conflict', 'This account already has a webhook endpoint with this address.')

const insecure = invalid({ insecure: wrong('url', 'Must be an https:// address') })

export const listWebhookEndpoints: Described = {
  summary: 'List your webhook endpoints',
  description: 'The addresses that get the events of every video of the account.',
  responses: {
    200: answer('All of them.', 'WebhookEndpointPage', {
      page: ['One endpoint', endpointPage],
    }),
  },
}

export const createWebhookEndpoint: Described = {
  summary: 'Create a webhook endpoint',
  description: `From now on every video of the account that ends is told to this address, beside the \`webhookUrl\` that its request may name: the same event, with the same id and the same secret, as a delivery of its own. An address that is both gets the event once. An account has at most ${endpointsPerAccount} endpoints.`,
  body: takes(endpoints.createEndpoint, 'The address, and which events it gets.', {
    all: ['Every event', createEndpointRequest],
    failures: ['Failures only', failuresRequest],
  }),
  responses: {
    201: answer(
      'The endpoint.',
      'WebhookEndpoint',
      { created: ['It gets every event', endpoint] },
      ['Location'],
    ),
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
    200: answer('The endpoint.', 'WebhookEndpoint', {
      enabled: ['It gets every event', endpoint],
    }),
  },
}

export const changeWebhookEndpoint: Described = {
  summary: 'Change a webhook endpoint',
  description:
    'A new address is where its deliveries go from now on, those on their way among them. Disabling it stops those on their way; enabling it does not start them again, but each can be redelivered.',
  body: takes(endpoints.changeEndpoint, 'What to change.', {
    disable: ['No events for now', changeEndpointRequest],
  }),
  responses: {
    200: answer('The endpoint as it is now.', 'WebhookEndpoint', {
      disabled: ['Disabled', disabledEndpoint],
    }),
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
    200: answer('The secret.', 'WebhookSecret', {
      secret: ['No rotation under way', examples.webhookSecret],
    }),
  },
}

export const rotateWebhookSecret: Described = {
  summary: 'Rotate the secret of your webhooks',
  description:
    'Makes a new secret. For 24 hours every webhook is signed with both secrets, so that you can change your receivers meanwhile. A second rotation within that time ends the oldest secret at once.',
  responses: {
    200: answer('The new secret, and the previous one.', 'WebhookSecret', {
      rotated: ['Just rotated', examples.rotatedSecret],
    }),
  },
}

export const testWebhook: Described = {
  summary: 'Send a test webhook',
  description:
    'Sends an event of type `webhook.test`, signed and logged like every webhook. The rules for its address are those of `webhookUrl` in a video. It is tried once, and the receiver has 15 seconds. The answer is the delivery with what the receiver answered. If four attempts to the same host are already under way, the test waits for them; after 20 seconds the answer is the delivery while still `pending`, and its result appears in the list of deliveries later.',
  body: takes(deliveries.testWebhook, 'Where to send the test.', {
    test: ['An address of yours', examples.testRequest],
  }),
  responses: {
    200: answer('The test was sent; `status` and the attempt have its result.', 'WebhookDelivery', {
      received: ['Received', examples.testReceived],
      refused: ['The receiver has another secret', examples.testRefused],
    }),
    400: invalid({ address: wrong('webhookUrl', 'Must be an https:// address') }),
  },
}

export const listWebhookEvents: Described = {
  summary: 'List events',
  description:
    'Every video that has ended, with the body that its webhook carries, whether or not there is anybody to tell. For programs that no webhook can reach: ask again with `nextCursor` for what came after, every second or two; nothing is left out. Events of deleted videos are not listed.',
  query: feedQuery,
  responses: {
    200: answer('The next events; empty while nothing has ended.', 'WebhookFeedPage', {
      page: ['One video has ended', examples.feedPage],
      none: ['Nothing yet', { ...examples.feedPage, data: [] }],
    }),
    400: invalid({ cursor: wrong('cursor', 'Must be the nextCursor of an earlier page') }),
  },
}

export const listWebhookDeliveries: Described = {
  summary: 'List deliveries of webhooks',
  description:
    'What was sent, when, and what your receiver answered; newest first, kept for 30 days. Pass `nextCursor` as `cursor` until it is null.',
  query: deliveries.listDeliveriesQuery,
  responses: {
    200: answer('One page.', 'WebhookDeliveryPage', {
      page: ['One that arrived at the second attempt', examples.deliveryPage],
    }),
    400: invalid({ cursor: wrong('cursor', 'Must be the nextCursor of an earlier page') }),
  },
}

export const redeliverWebhook: Described = {
  summary: 'Deliver a webhook again',
  description:
    'Sends the webhook again at once, and by the whole schedule if that fails, whatever its status. The webhook id and the body stay the same, except that expired links are signed again. Two requests at the same time, or one during an attempt that succeeds, send the webhook once.',
  responses: {
    202: answer('The delivery, pending again.', 'WebhookDelivery', {
      pending: ['Pending again', examples.redelivered],
    }),
  },
}

import { endpointsPerAccount } from '../../../contract/limits.ts'
import { answer, conflict, invalid } from '../answers.ts'
import * as examples from '../examples/endpoint-examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import type { DescribedOperation, Response } from '../openapi-types.ts'
import { endpointIdParameter } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

const tags: [string] = ['Deliveries']

function endpointNotFound(): Response {
  return failure({
    description: 'There is no such endpoint, or it is not yours.',
    headers: [...rateHeaderNames],
    examples: { missing: fault('NotFound', 'Webhook endpoint not found.') },
  })
}

const taken = fault('Conflict', 'The account has a webhook endpoint with this address already.')

const insecure = invalid({
  insecure: fault('ValidationError', 'url: Must be an https:// address', {
    details: [{ field: 'url', message: 'Must be an https:// address' }],
  }),
})

export const listEndpointsOperation: DescribedOperation = {
  tags,
  summary: 'List your webhook endpoints',
  description: 'The addresses that get the events of every video of the account.',
  parameters: [],
  responses: {
    200: answer({
      description: 'All of them.',
      schema: 'WebhookEndpointPage',
      examples: { page: ['One endpoint', examples.endpointPage] },
    }),
    ...keyFailures,
  },
}

export const createEndpointOperation: DescribedOperation = {
  tags,
  summary: 'Create a webhook endpoint',
  description: `From now on every video of the account that ends is told to this address, beside the \`webhookUrl\` that its request may name: the same event, with the same id and the same secret, as a delivery of its own. An address that is both gets the event once. An account has at most ${endpointsPerAccount} endpoints.`,
  parameters: [],
  requestBody: bodyRef('CreateWebhookEndpoint'),
  responses: {
    201: answer({
      description: 'The endpoint.',
      schema: 'WebhookEndpoint',
      examples: { created: ['It gets every event', examples.endpoint] },
      headers: ['Location'],
    }),
    400: insecure,
    ...keyFailures,
    409: conflict('The address is an endpoint already, or the account has too many.', {
      taken,
      full: fault(
        'Conflict',
        `The account has ${endpointsPerAccount} webhook endpoints already; delete one first.`,
      ),
    }),
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const readEndpointOperation: DescribedOperation = {
  tags,
  summary: 'Read one webhook endpoint',
  description: 'Where it is, and which events it gets.',
  parameters: [endpointIdParameter],
  responses: {
    200: answer({
      description: 'The endpoint.',
      schema: 'WebhookEndpoint',
      examples: { enabled: ['It gets every event', examples.endpoint] },
    }),
    ...keyFailures,
    404: endpointNotFound(),
  },
}

export const changeEndpointOperation: DescribedOperation = {
  tags,
  summary: 'Change a webhook endpoint',
  description:
    'A new address is where its deliveries go from now on, those on their way among them. Disabling it stops those on their way; enabling it does not start them again, but each can be redelivered.',
  parameters: [endpointIdParameter],
  requestBody: bodyRef('ChangeWebhookEndpoint'),
  responses: {
    200: answer({
      description: 'The endpoint as it is now.',
      schema: 'WebhookEndpoint',
      examples: { disabled: ['Disabled', examples.disabledEndpoint] },
    }),
    400: insecure,
    ...keyFailures,
    404: endpointNotFound(),
    409: conflict('The address is that of another endpoint.', { taken }),
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const deleteEndpointOperation: DescribedOperation = {
  tags,
  summary: 'Delete a webhook endpoint',
  description: 'It gets no more events, and deliveries on their way to it are stopped.',
  parameters: [endpointIdParameter],
  responses: {
    204: { description: 'It is gone.', headers: headerRefs(...rateHeaderNames) },
    ...keyFailures,
    404: endpointNotFound(),
  },
}

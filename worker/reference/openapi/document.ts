import {
  testEventType,
  videoEventTypes,
  type VideoEventType,
} from '../../contract/webhooks/webhook-event.ts'
import { batchEvent } from './examples/batch-examples.ts'
import { testEvent, webhookExample } from './examples/webhook-examples.ts'
import { describeFailures } from './failures.ts'
import { headers } from './headers.ts'
import { webhookHeaders } from './parameters.ts'
import {
  type Document,
  type JsonSchema,
  type Operation,
  type PathItem,
  type RequestBody,
  type OperationMethod,
  schemaRef,
} from './json-schemas.ts'
import { bodies, groups, operations } from './operations.ts'
import { describeBody } from './bodies.ts'
import { describeSchemas } from './schemas.ts'
import { publicRoutes, type PublicRoute, type Route } from '../../contract/routes.ts'
import { describeOperation } from './describe-operation.ts'

const tags = [
  ...groups.map(({ name, description }) => ({ name, description })),
  { name: 'Webhooks', description: 'The requests that the service sends to you.' },
]

const webhookTexts: Record<VideoEventType, [operationId: string, summary: string]> = {
  'video.succeeded': ['onVideoSucceeded', 'A video has succeeded'],
  'video.failed': ['onVideoFailed', 'A video has failed'],
  'video.canceled': ['onVideoCanceled', 'A video was canceled'],
  'destinations.delivered': ['onDestinationsDelivered', 'All results of a video were delivered'],
  'destinations.failed': [
    'onDestinationsFailed',
    'The deliveries of a video have ended, and at least one has failed',
  ],
}

function describeVideoWebhook(type: VideoEventType): Operation {
  const [operationId, summary] = webhookTexts[type]
  const description =
    'Sent to the `webhookUrl` of the video and to every endpoint of the account, signed as Standard Webhooks specifies, and repeated until the answer is a 2xx. `data` is the record of the video.'
  const event = { schema: 'WebhookEvent', example: webhookExample(type) }
  return describeWebhook({ operationId, summary, description }, event)
}

const batchWebhook = describeWebhook(
  {
    operationId: 'onBatchEnded',
    summary: 'All videos of a batch have ended',
    description:
      'Sent once for each batch, to its `webhookUrl` and to every endpoint of the account, signed and repeated like all others. `data` is the record of the batch; each of its videos has had an event of its own.',
  },
  { schema: 'BatchEvent', example: batchEvent },
)

const testWebhook = describeWebhook(
  {
    operationId: 'onWebhookTest',
    summary: 'A test was requested',
    description:
      'Sent once by POST /v1/webhooks/test, and signed like all others. It concerns no video.',
  },
  { schema: 'WebhookTestEvent', example: testEvent },
)

function describeWebhook(
  texts: Pick<Operation, 'operationId' | 'summary' | 'description'>,
  event: { schema: string; example: unknown },
): Operation {
  return {
    ...texts,
    tags: ['Webhooks'],
    parameters: webhookHeaders,
    security: [],
    requestBody: {
      description: 'The event.',
      required: true,
      content: {
        'application/json': {
          schema: schemaRef(event.schema),
          examples: { event: { summary: texts.summary, value: event.example } },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Any 2xx means received; 410 stops retries; anything else, redirects included, is retried.',
      },
    },
  }
}

const description = `Spool processes videos: send a source and say what to do with it, then poll for the result or receive a webhook.

Bodies are JSON in UTF-8 (an upload is a form), field names are camelCase, and times are ISO 8601 in UTC. A request with an unknown field is refused, and the error names the field; answers may get new fields.

Every address under \`/v1\` needs \`Authorization: Bearer <API_KEY>\`, and answers 401 without a key, even if it does not exist. Anywhere else an unknown address is a 404. A known address answers 405 to a method that it does not support, and lists its methods in \`Allow\`.`

const webhooks: Record<string, PathItem> = {
  ...Object.fromEntries(
    videoEventTypes.map((type) => [type, { post: describeVideoWebhook(type) }]),
  ),
  'batch.ended': { post: batchWebhook },
  [testEventType]: { post: testWebhook },
}

/** The OpenAPI document of a service at this address. */
export function describeApi(version: string, baseUrl: string): Document {
  const { schemas, requests } = describeSchemas()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spool',
      version,
      summary: 'Video processing as one request',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      'x-dashboardUrl': `${baseUrl}/app`,
    },
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths: describePaths(),
    webhooks,
    components: {
      schemas,
      requestBodies: withOwnClips(describeBodies(requests), baseUrl),
      responses: describeFailures(),
      headers,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key: spool_ and 32 characters. Keep it on your servers. The dashboard makes them: ${baseUrl}/app/keys`,
        },
      },
    },
  }
}

/** components.requestBodies, from the JSON Schema of each. */
function describeBodies(
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, RequestBody> {
  return Object.fromEntries(
    bodies.map(([title, body]) => [title, describeBody(body, { title, ...schemas[title] })]),
  )
}

/** Puts the service's own clips into the examples, so that a request works as it is pasted. */
function withOwnClips<Bodies>(bodies: Bodies, baseUrl: string): Bodies {
  const text = JSON.stringify(bodies)
    .replaceAll('https://media.example.com/talks/keynote.mp4', `${baseUrl}/docs/examples/talk.mp4`)
    .replaceAll(
      /https:\/\/media\.example\.com\/(intro\.mp4|logo\.png|music\.mp3)/g,
      `${baseUrl}/docs/examples/$1`,
    )
  return JSON.parse(text) as Bodies
}

/** Every path of the route table with its operations. */
function describePaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const [name, route] of Object.entries<Route>(publicRoutes)) {
    // Object.entries() loses the type of the keys; the table has no others.
    const operation = describe(name as PublicRoute, route)
    const item = {
      ...paths[route.path],
      [route.method.toLowerCase() as OperationMethod]: operation,
    }
    paths[route.path] = name === 'getFile' ? { ...item, head: describe('headFile', route) } : item
  }
  return paths
}

function describe(name: keyof typeof operations, route: Route): Operation {
  const tag = groups.find((group) => name in group.operations)?.name ?? ''
  return describeOperation(name, tag, operations[name], route)
}

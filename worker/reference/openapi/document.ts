import {
  testEventType,
  webhookEventTypes,
  type WebhookEventType,
} from '../../contract/webhook-event.ts'
import { createVideoBody } from './create-video-operation.ts'
import { describePaths } from './describe-paths.ts'
import { testEvent, webhookExample } from './webhook-examples.ts'
import { sharedFailures } from './failures.ts'
import { headers } from './headers.ts'
import { webhookHeaders } from './parameters.ts'
import * as key from './key-operations.ts'
import type { Document, Operation, PathItem } from './openapi-types.ts'
import { describeSchemas, schemaRef } from './schemas.ts'
import * as upload from './upload-operations.ts'
import { uploadVideoBody } from './upload-video-operation.ts'
import * as video from './video-operations.ts'
import * as webhook from './webhook-operations.ts'

const tags = [
  { name: 'Videos', description: 'Create a video, follow it, and fetch the result.' },
  { name: 'Uploads', description: 'Files sent in parts, for videos to be made of.' },
  { name: 'Jobs', description: 'How the work on a video went.' },
  { name: 'Files', description: 'The links of a record.' },
  { name: 'Keys', description: 'API keys of your account, for programs and people.' },
  { name: 'Service', description: 'The service itself; no key needed.' },
  {
    name: 'Deliveries',
    description: 'What became of your webhooks, and what they are signed with.',
  },
  { name: 'Webhooks', description: 'What the service sends to you.' },
]

const webhookTexts: Record<WebhookEventType, [operationId: string, summary: string]> = {
  'video.succeeded': ['onVideoSucceeded', 'A video has succeeded'],
  'video.failed': ['onVideoFailed', 'A video has failed'],
  'video.canceled': ['onVideoCanceled', 'A video was canceled'],
}

function describeVideoWebhook(type: WebhookEventType): Operation {
  const [operationId, summary] = webhookTexts[type]
  const description =
    'Sent to the `webhookUrl` of the request, signed as Standard Webhooks has it, and again until it is answered with a 2xx. `data` is the record of the video.'
  const event = { schema: 'WebhookEvent', example: webhookExample(type) }
  return describeWebhook({ operationId, summary, description }, event)
}

const testWebhook = describeWebhook(
  {
    operationId: 'onWebhookTest',
    summary: 'A test was asked for',
    description:
      'Sent once by POST /v1/webhooks/test, signed like all others. It is about no video.',
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
          'Anything with 2 in front means: received. A 410 ends the attempts; everything else, redirects too, means: try again.',
      },
    },
  }
}

const description = `Spool processes videos: give it a source and say what is to be done, then read the result by asking, or be told by a webhook.

Bodies are JSON in UTF-8 (an upload is a form), field names camelCase, times ISO 8601 in UTC. Unknown fields of a request are refused by name; answers may grow new ones.

Every address under \`/v1\` needs \`Authorization: Bearer <API_KEY>\`, and answers 401 without a key, even where there is nothing. Everywhere else an unknown address is a 404. A known address asked with another method answers 405 and names its methods in \`Allow\`.`

const webhooks: Record<string, PathItem> = {
  ...Object.fromEntries(
    webhookEventTypes.map((type) => [type, { post: describeVideoWebhook(type) }]),
  ),
  [testEventType]: { post: testWebhook },
}

/** Everything but where the service stands. */
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
    },
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths: describePaths(),
    webhooks,
    components: {
      schemas,
      requestBodies: {
        CreateVideo: createVideoBody(requests['CreateVideo'] ?? {}),
        UploadVideo: uploadVideoBody(requests['UploadVideo'] ?? {}),
        ChangeVideo: video.changeVideoBody(requests['ChangeVideo'] ?? {}),
        CreateUpload: upload.createUploadBody(requests['CreateUpload'] ?? {}),
        CompleteUpload: upload.completeUploadBody(requests['CompleteUpload'] ?? {}),
        CreateKey: key.createKeyBody(requests['CreateKey'] ?? {}),
        RenameKey: key.renameKeyBody(requests['RenameKey'] ?? {}),
        TestWebhook: webhook.testWebhookBody(requests['TestWebhook'] ?? {}),
      },
      responses: sharedFailures,
      headers,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: spool_ and 32 characters. Keep it on your servers.',
        },
      },
    },
  }
}

import {
  deliveryId,
  jobId,
  keyId,
  uploadId,
  videoId,
  webhookEndpointId,
} from '../../contract/ids.ts'
import { listKeysQuery } from '../../contract/people/key-record.ts'
import { limits } from '../../contract/limits.ts'
import { listJobsQuery } from '../../contract/job/job-record.ts'
import { listQuery } from '../../contract/video/list-videos.ts'
import { presetName } from '../../contract/options/preset-name.ts'
import { transcriptQuery } from '../../contract/video/video-record.ts'
import { usageQuery } from '../../contract/usage.ts'
import { listDeliveriesQuery } from '../../contract/webhooks/webhook-delivery.ts'
import { feedQuery } from '../../contract/webhooks/webhook-feed.ts'
import type { JsonSchema, Parameter } from './openapi-types.ts'
import { toJsonSchemas } from './schemas.ts'

function schemaOf(name: string, schema: Parameters<typeof toJsonSchemas>[0][string]): JsonSchema {
  return toJsonSchemas({ [name]: schema }, 'input')[name] ?? {}
}

export const videoIdParameter: Parameter = {
  name: 'videoId',
  in: 'path',
  required: true,
  description: 'The video, by the id that POST /v1/videos returned',
  schema: schemaOf('videoId', videoId),
  example: 'v_3kTMd92L',
}

export const jobIdParameter: Parameter = {
  name: 'jobId',
  in: 'path',
  required: true,
  description: 'The job, by the id that POST /v1/videos returned',
  schema: schemaOf('jobId', jobId),
  example: 'j_8Qm2xVb71LrTzC0p',
}

export const uploadIdParameter: Parameter = {
  name: 'uploadId',
  in: 'path',
  required: true,
  description: 'The upload, by the id that POST /v1/uploads returned',
  schema: schemaOf('uploadId', uploadId),
  example: 'u_Zb4nR8xK2mQ7tW1c',
}

export const partTokenParameter: Parameter = {
  name: 'token',
  in: 'path',
  required: true,
  description:
    'The permission in the address; it contains the upload, the part, and when it expires',
  schema: { type: 'string' },
  example: `u_Zb4nR8xK2mQ7tW1c.1.1795342461.${'5d41402abc4b2a76'.repeat(4)}`,
}

export const deliveryIdParameter: Parameter = {
  name: 'deliveryId',
  in: 'path',
  required: true,
  description: 'The delivery, by the id that GET /v1/webhooks/deliveries returned',
  schema: schemaOf('deliveryId', deliveryId),
  example: 'dlv_4nT0wq9XbK2mHc7R',
}

export const endpointIdParameter: Parameter = {
  name: 'endpointId',
  in: 'path',
  required: true,
  description: 'The endpoint, by the id that POST /v1/webhooks/endpoints returned',
  schema: schemaOf('endpointId', webhookEndpointId),
  example: 'we_7sLq2Xv9TbNc4Wd1',
}

export const keyIdParameter: Parameter = {
  name: 'keyId',
  in: 'path',
  required: true,
  description: 'The key, as GET /v1/keys names it',
  schema: schemaOf('keyId', keyId),
  example: 'k_5ZqP0nYc3KdW',
}

export const presetNameParameter: Parameter = {
  name: 'presetName',
  in: 'path',
  required: true,
  description: 'The preset, by its name',
  schema: schemaOf('presetName', presetName),
  example: 'podcast',
}

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own for this request, such as a UUID. The same request sent again within 24 hours gets the first answer again, and creates no second video.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKeyLength,
    pattern: '^[\\x21-\\x7e]+$',
  },
  example: '5f0c2f3e-8f5b-4f6e-9d55-0d8d0b9d8a11',
}

/** The query of GET /v1/videos, from its schema. */
export const listParameters = (): Parameter[] => queryParameters('ListQuery', listQuery)

export const listJobsParameters = (): Parameter[] => queryParameters('ListJobsQuery', listJobsQuery)

export const transcriptParameters = (): Parameter[] =>
  queryParameters('TranscriptQuery', transcriptQuery)

export const listKeysParameters = (): Parameter[] => queryParameters('ListKeysQuery', listKeysQuery)

export const usageParameters = (): Parameter[] => queryParameters('UsageQuery', usageQuery)

export const listDeliveriesParameters = (): Parameter[] =>
  queryParameters('ListDeliveriesQuery', listDeliveriesQuery)

export const listEventsParameters = (): Parameter[] => queryParameters('FeedQuery', feedQuery)

function queryParameters(name: string, query: Parameters<typeof schemaOf>[1]): Parameter[] {
  const { properties, required = [] } = schemaOf(name, query) as {
    properties: Record<string, JsonSchema & { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }))
}

export const fileParameters: Parameter[] = [
  {
    name: 'token',
    in: 'path',
    required: true,
    description: 'The permission in the link; it contains the file, and when the link expires',
    schema: { type: 'string' },
    example: `v_3kTMd92L.final.1795860903.${'5d41402abc4b2a76'.repeat(4)}`,
  },
  {
    name: 'name',
    in: 'path',
    required: true,
    description: 'The name a browser shows; any other name works as well',
    schema: { type: 'string' },
    example: 'Keynote.mp4',
  },
]

export const objectParameter: Parameter = {
  name: 'object',
  in: 'query',
  required: false,
  description:
    'Part of every link that the service makes: it names the stored file, so that serving it is quick. Without it a link works as well',
  schema: { type: 'string' },
  example: `1.mp4.30408704.${'9b74c9897bac770f'.repeat(4)}`,
}

export const downloadParameter: Parameter = {
  name: 'download',
  in: 'query',
  required: false,
  description: '1: the browser saves the file under its name instead of showing it',
  schema: { type: 'string', enum: ['1'] },
  example: '1',
}

function requestHeader(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' }, example }
}

export const fileHeaders: Parameter[] = [
  requestHeader(
    'Range',
    'One range of bytes; a request for several gets the whole file',
    'bytes=0-1023',
  ),
  requestHeader('If-Range', 'ETag or date: ignore Range if the file has changed', '"9f86d081"'),
  requestHeader('If-None-Match', 'ETag of your copy: 304 if it is up to date', '"9f86d081"'),
  requestHeader(
    'If-Modified-Since',
    'Date of your copy: 304 if it is up to date',
    'Sat, 21 Nov 2026 10:15:03 GMT',
  ),
  requestHeader('If-Match', 'ETag that the file must have, otherwise 412', '"9f86d081"'),
  requestHeader(
    'If-Unmodified-Since',
    'Date than which the file must not be newer, otherwise 412',
    'Sat, 21 Nov 2026 10:15:03 GMT',
  ),
]

/** The headers of a webhook. */
export const webhookHeaders: Parameter[] = [
  webhookHeader(
    'webhook-id',
    'Identifies the event; the same in every attempt',
    'msg_0DkL5cGv7YqS2nXw9RtBzA',
  ),
  webhookHeader(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970',
    '1795256103',
  ),
  webhookHeader(
    'webhook-signature',
    'v1 and the HMAC-SHA256 of `id.timestamp.body` in base64; one for each secret that is valid',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

function webhookHeader(name: string, description: string, example: string): Parameter {
  return { ...requestHeader(name, description, example), required: true }
}

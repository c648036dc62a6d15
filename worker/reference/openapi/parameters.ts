import type { z } from 'zod'
import {
  deliveryId,
  batchId,
  jobId,
  keyId,
  uploadId,
  videoId,
  webhookEndpointId,
} from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { presetName } from '../../contract/options/presets/preset-name.ts'
import { storageName } from '../../contract/storages/storage-name.ts'
import type { AnswerDescription } from './bodies.ts'
import { missing, sharedFailure } from './failures.ts'
import { toJsonSchemas, type JsonSchema, type Parameter, type Reference } from './json-schemas.ts'

type PathPart = {
  description: string
  schema: z.ZodType
  example: string
  missing: AnswerDescription | Reference
}

/** What the parts of a path in braces stand for, and the answer if nothing has that id. */
export const pathParts: Readonly<Record<string, PathPart>> = {
  videoId: {
    description: 'The video, by the id that POST /v1/videos returned',
    schema: videoId,
    example: 'v_3kTMd92L',
    missing: sharedFailure('VideoNotFound'),
  },
  batchId: {
    description: 'The batch, by the id that POST /v1/batches returned',
    schema: batchId,
    example: 'b_5tRw8ZkQ1nYcB4vL',
    missing: missing('There is no such batch, or it is not yours.', 'Batch not found.'),
  },
  jobId: {
    description: 'The job, by the id that POST /v1/videos returned',
    schema: jobId,
    example: 'j_8Qm2xVb71LrTzC0p',
    missing: missing('There is no such job, or it is not yours.', 'Job not found.'),
  },
  uploadId: {
    description: 'The upload, by the id that POST /v1/uploads returned',
    schema: uploadId,
    example: 'u_Zb4nR8xK2mQ7tW1c',
    missing: sharedFailure('UploadNotFound'),
  },
  deliveryId: {
    description: 'The delivery, by the id that GET /v1/webhooks/deliveries returned',
    schema: deliveryId,
    example: 'dlv_4nT0wq9XbK2mHc7R',
    missing: missing(
      'There is no such delivery, or it is not yours, or it is older than 30 days.',
      'Delivery not found.',
    ),
  },
  endpointId: {
    description: 'The endpoint, by the id that POST /v1/webhooks/endpoints returned',
    schema: webhookEndpointId,
    example: 'we_7sLq2Xv9TbNc4Wd1',
    missing: missing(
      'There is no such endpoint, or it is not yours.',
      'Webhook endpoint not found.',
    ),
  },
  keyId: {
    description: 'The key, as GET /v1/keys names it',
    schema: keyId,
    example: 'k_5ZqP0nYc3KdW',
    missing: missing('There is no such key, or it is not yours.', 'API key not found.'),
  },
  presetName: {
    description: 'The preset, by its name',
    schema: presetName,
    example: 'podcast',
    missing: missing('Your account has no such preset.', 'Preset not found.'),
  },
  storageName: {
    description: 'The storage, by its name',
    schema: storageName,
    example: 'out',
    missing: missing('Your account has no such storage.', 'Storage not found.'),
  },
}

/** The parameters of this path that the table describes. */
export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): Parameter[] => {
    const part = pathParts[name]
    if (!part) return []
    const { description, schema, example } = part
    return [{ name, in: 'path', required: true, description, schema: schemaOf(schema), example }]
  })
}

export function queryParameters(query: z.ZodType): Parameter[] {
  const { properties, required = [] } = schemaOf(query) as {
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

function schemaOf(schema: z.ZodType): JsonSchema {
  return toJsonSchemas({ schema }, 'input')['schema'] ?? {}
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

export function requestHeader(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' }, example }
}

/** A part of the address of a file or of a part of an upload. */
export function linkPart(name: string, description: string, example: string): Parameter {
  return { ...requestHeader(name, description, example), in: 'path', required: true }
}

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

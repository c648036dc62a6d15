import type { z } from 'zod'
import { changeVideo, createVideo, uploadVideo } from '../../contract/options/create-video.ts'
import { completeUpload, createUpload } from '../../contract/direct-upload.ts'
import { createKey, renameKey } from '../../contract/people/key-record.ts'
import { putPreset } from '../../contract/options/preset.ts'
import { testWebhook } from '../../contract/webhooks/webhook-delivery.ts'
import { changeEndpoint, createEndpoint } from '../../contract/webhooks/webhook-endpoint.ts'
import * as endpoints from './examples/endpoint-examples.ts'
import * as videos from './examples/examples.ts'
import * as keys from './examples/key-examples.ts'
import type { JsonSchema, Reference, RequestBody } from './openapi-types.ts'
import * as presets from './examples/preset-examples.ts'
import * as uploads from './examples/upload-examples.ts'
import * as webhooks from './examples/webhook-examples.ts'

type Body = {
  schema: z.ZodType
  description: string
  examples: Record<string, [summary: string, value: unknown]>
  optional?: true
  /** The field of the form that carries a file beside those of the schema. */
  file?: { name: string; description: string }
}

/** The body of every request that has one, by the name of its schema. */
export const bodies = {
  CreateVideo: {
    schema: createVideo,
    description: 'One source, and what to do with it.',
    examples: {
      simple: ['The smallest request: one source', videos.simpleRequest],
      clean: ['Clean a talk, and send a webhook', videos.cleanRequest],
      combine: ['Two clips into one portrait video', videos.combineRequest],
      elements: ['A logo and music', videos.elementsRequest],
      preset: ['A preset, and one thing otherwise', videos.presetRequest],
      everything: ['Every option at once', videos.fullRequest],
    },
  },
  UploadVideo: {
    schema: uploadVideo,
    description:
      'One file, and what to do with it. Booleans and numbers are sent as text, objects and lists as JSON in one field; fields may come before or after the file.',
    file: {
      name: 'file',
      description: 'The video: MP4, MOV, AVI or WebM, detected from its bytes',
    },
    examples: { simple: ['A file, made smaller', videos.uploadRequest] },
  },
  ChangeVideo: {
    schema: changeVideo,
    description: 'What to change: the name, the metadata, or both.',
    examples: {
      rename: ['A new name', videos.renameRequest],
      metadata: ['Other metadata', videos.metadataRequest],
    },
  },
  CreateUpload: {
    schema: createUpload,
    description: 'The file that will be sent.',
    examples: { upload: ['A file of 20 MB', uploads.createUpload] },
  },
  CompleteUpload: {
    schema: completeUpload,
    description: 'Nothing, or the ETag of every part.',
    optional: true,
    examples: { compared: ['With every ETag', uploads.completeUpload] },
  },
  PutPreset: {
    schema: putPreset,
    description: 'The fields that requests with this preset start from.',
    examples: { podcast: ['For the episodes of a podcast', presets.putPresetRequest] },
  },
  CreateKey: {
    schema: createKey,
    description: 'What the key may do, and until when.',
    examples: { reading: ['A key that may only read', keys.createKeyRequest] },
  },
  RenameKey: {
    schema: renameKey,
    description: 'The new name.',
    examples: { named: ['Another name', keys.renameKeyRequest] },
  },
  CreateWebhookEndpoint: {
    schema: createEndpoint,
    description: 'The address, and which events it gets.',
    examples: {
      all: ['Every event', endpoints.createEndpointRequest],
      failures: ['Failures only', endpoints.failuresRequest],
    },
  },
  ChangeWebhookEndpoint: {
    schema: changeEndpoint,
    description: 'What to change.',
    examples: { disable: ['No events for now', endpoints.changeEndpointRequest] },
  },
  TestWebhook: {
    schema: testWebhook,
    description: 'Where to send the test.',
    examples: { test: ['An address of yours', webhooks.testRequest] },
  },
} as const satisfies Record<string, Body>
export type BodyName = keyof typeof bodies

export function bodyRef(name: BodyName): Reference {
  return { $ref: `#/components/requestBodies/${name}` }
}

/** components.requestBodies, from the JSON Schema of each. */
export function describeBodies(
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, RequestBody> {
  return Object.fromEntries(
    Object.entries<Body>(bodies).map(([name, body]) => [
      name,
      describeBody(body, { title: name, ...schemas[name] }),
    ]),
  )
}

function describeBody(
  { description, examples, optional, file }: Body,
  schema: JsonSchema,
): RequestBody {
  const named = Object.entries(examples).map(([name, [summary, value]]) => [
    name,
    { summary, value },
  ])
  const media = {
    schema: file ? withFile(schema, file) : schema,
    examples: Object.fromEntries(named) as Record<string, { summary: string; value: unknown }>,
  }
  const type = file ? 'multipart/form-data' : 'application/json'
  return { description, required: optional !== true, content: { [type]: media } }
}

function withFile(
  { properties, ...schema }: JsonSchema,
  { name, description }: NonNullable<Body['file']>,
): JsonSchema {
  const file = { type: 'string', format: 'binary', description }
  return { ...schema, properties: { [name]: file, ...(properties as object) }, required: [name] }
}

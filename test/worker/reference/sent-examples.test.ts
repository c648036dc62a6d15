import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeApi } from '../../../worker/reference/openapi/document.ts'
import { aClient } from '../../support/worker/accounts.ts'
import type { Client } from '../../support/worker/client.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aStorage, standInS3 } from '../../support/worker/storages/storages.ts'
import { aField, aFile, upload } from '../../support/worker/upload-form.ts'
import { aReceivedUpload } from '../../support/worker/uploads.ts'
import { aTranscribedVideo } from '../../support/worker/videos.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

/** As a service shows them that the internet can reach: the clips of the examples are its own. */
const document = describeApi('', 'https://spool.example.com')

let client: Client
beforeAll(async () => {
  client = await aClient()
})

/** The storage that examples name. */
beforeEach(async () => {
  await aStorage(client, s3.current)
})

function examplesOf(body: string): Record<string, unknown>[] {
  const content = Object.values(document.components.requestBodies[body]?.content ?? {})
  return content.flatMap(({ examples }) =>
    Object.values(examples ?? {}).map(({ value }) => value as Record<string, unknown>),
  )
}

describe('the examples of requests', () => {
  it.each(examplesOf('CreateVideo'))(
    'are taken as they stand by POST /v1/videos: %j',
    async (body) => {
      const answer = await client.post('/v1/videos', body)
      expect(answer.status, answer.text).toBe(202)
    },
  )

  it.each(examplesOf('UploadVideo'))('are taken by POST /v1/videos/upload: %j', async (form) => {
    const fields = Object.entries(form).filter(([name]) => name !== 'file')
    const parts = fields.map(([name, value]) => aField(name, String(value)))
    const answer = await upload(client, [...parts, aFile()])
    expect(answer.status, answer.text).toBe(202)
  })

  it.each(examplesOf('CreateUpload'))('are taken by POST /v1/uploads: %j', async (body) => {
    const answer = await client.post('/v1/uploads', body)
    expect(answer.status, answer.text).toBe(201)
  })

  it.each(examplesOf('ChangeVideo'))('are taken by PATCH /v1/videos: %j', async (body) => {
    const speakers = ['Speaker 1', 'Speaker 2'].map((name) => ({ name, seconds: 1 }))
    const asked = { request: { speakers: true }, transcript: { speakers } }
    const { videoId } = await aTranscribedVideo(client, asked)
    const answer = await client.patch(`/v1/videos/${videoId}`, body)
    expect(answer.status, answer.text).toBe(200)
  })

  it.each(examplesOf('PutPreset'))('are taken by PUT /v1/presets: %j', async (body) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'PUT', body: JSON.stringify(body), headers }
    const answer = await client.send('/v1/presets/mine', init)
    expect(answer.status, answer.text).toBe(201)
  })

  const endpoints = '/v1/webhooks/endpoints'
  it.each(examplesOf('CreateWebhookEndpoint'))('are taken by POST endpoints: %j', async (body) => {
    const answer = await (await aClient()).post(endpoints, body)
    expect(answer.status, answer.text).toBe(201)
  })

  it.each(examplesOf('ChangeWebhookEndpoint'))('are taken by PATCH endpoints: %j', async (body) => {
    const { json } = await client.post(endpoints, { url: 'https://hooks.example.com/changed' })
    const answer = await client.patch(`${endpoints}/${String(json['endpointId'])}`, body)
    expect(answer.status, answer.text).toBe(200)
  })

  it.each(examplesOf('TestWebhook'))('are taken by POST /v1/webhooks/test: %j', async (body) => {
    media.current.answerElsewhere = () => new Response('ok')
    const answer = await client.post('/v1/webhooks/test', body)
    expect(answer.status, answer.text).toBe(200)
  })

  it.each(examplesOf('CompleteUpload'))('are read by completing an upload: %j', async (body) => {
    const { uploadId } = await aReceivedUpload(client)
    const answer = await client.post(`/v1/uploads/${uploadId}/complete`, body)
    // Its ETags belong to other bytes; a request whose ETags are compared has been understood.
    expect(answer.text).not.toContain('Unknown field')
    expect(answer.text).not.toContain('Must be')
  })
})

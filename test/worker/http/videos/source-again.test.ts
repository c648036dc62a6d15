import { beforeAll, describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { tick } from '../../../support/worker/tick.ts'
import { refusal, type Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aStoredVideo,
  sourceKeys,
  sourceUrl,
  start,
  videoRow,
  type Created,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()
const day = 86_400

let client: Client
beforeAll(async () => {
  client = await aClient()
})

async function again(sourceVideoId: string, more: object = {}, headers = {}) {
  return client.post('/v1/videos', { sourceVideoId, ...more }, headers)
}

async function made(sourceVideoId: string, more: object = {}): Promise<Created> {
  const answer = await again(sourceVideoId, more)
  expect(answer.status).toBe(202)
  return answer.json as Created
}

async function finish(created: Created) {
  const { attempt } = await start(created)
  await attempt.finish()
  return attempt.job
}

async function aFinished() {
  const stored = await aStoredVideo(client)
  await finish(stored)
  return stored
}

async function keptBytes(of: Client): Promise<number> {
  return ((await of.get('/v1/usage')).json as { now: { keptBytes: number } }).now.keptBytes
}

describe('a video made of what an earlier one was made of', () => {
  it('takes the same stored file, with other options, and names it in its record', async () => {
    const first = await aFinished()
    const second = await made(first.videoId, { aspectRatio: '9:16' })
    const job = await finish(second)
    expect(job.inputs).toEqual([
      {
        field: 'sourceVideoId',
        origin: 'storage',
        url: expect.stringContaining(`/uploads/${first.uploadId}/source?`) as string,
      },
    ])
    const { json } = await client.get(`/v1/videos/${second.videoId}`)
    expect(json).toMatchObject({ sourceVideoId: first.videoId, videoName: 'talk' })
    expect(json['sourceExpiresAt']).toBe(new Date(Date.now() + 7 * day * 1000).toISOString())
  })

  it('can itself be the source of a third, also after the first was deleted', async () => {
    const first = await aFinished()
    const second = await made(first.videoId)
    await finish(second)
    expect((await client.delete(`/v1/videos/${first.videoId}`)).status).toBe(204)
    expect(await sourceKeys(first.uploadId)).toHaveLength(1)
    const third = await made(second.videoId)
    await finish(third)
    for (const { videoId } of [second, third]) await client.delete(`/v1/videos/${videoId}`)
    expect(await sourceKeys(first.uploadId)).toEqual([])
  })

  it('loses its file in the end when two that share it are deleted at once', async () => {
    const first = await aFinished()
    const second = await made(first.videoId)
    await finish(second)
    const both = [first, second].map(async ({ videoId }) => client.delete(`/v1/videos/${videoId}`))
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([204, 204])
    await tick()
    expect(await sourceKeys(first.uploadId)).toEqual([])
  })

  it('keeps the file for as long as one of them does, and the sweep removes it after the last', async () => {
    const first = await aFinished()
    advanceSeconds(5 * day)
    const second = await made(first.videoId)
    await finish(second)
    advanceSeconds(2 * day)
    await tick()
    expect(await videoRow(first.videoId)).toMatchObject({ sourceDeletedAt: Date.now() })
    expect(await sourceKeys(first.uploadId)).toHaveLength(1)
    advanceSeconds(5 * day)
    await tick()
    expect(await sourceKeys(first.uploadId)).toEqual([])
  })

  it('counts the file once towards what is kept, until the last of them has gone', async () => {
    const mine = await aClient()
    const first = await aStoredVideo(mine)
    expect(await keptBytes(mine)).toBe(5)
    const { json } = await mine.post('/v1/videos', { sourceVideoId: first.videoId })
    expect(await keptBytes(mine)).toBe(5)
    for (const { videoId } of [first, json as Created]) {
      await mine.post(`/v1/videos/${videoId}/cancel`)
      expect(await keptBytes(mine)).toBe(5)
    }
    await mine.delete(`/v1/videos/${first.videoId}`)
    expect(await keptBytes(mine)).toBe(5)
    await mine.delete(`/v1/videos/${(json as Created).videoId}`)
    expect(await keptBytes(mine)).toBe(0)
  })

  it('fetches addresses again, of one source or several, and shows them', async () => {
    const one = (await client.post('/v1/videos', { fileUrl: sourceUrl })).json as Created
    const files = [{ url: sourceUrl, disableAudio: true }, { url: `${sourceUrl}?2` }]
    const joined = (await client.post('/v1/videos', { files, combine: true })).json as Created
    const oneAgain = await made(one.videoId)
    const joinedAgain = await made(joined.videoId)
    expect((await finish(oneAgain)).inputs).toEqual([
      { field: 'fileUrl', url: sourceUrl, origin: 'customer' },
    ])
    expect((await finish(joinedAgain)).inputs).toHaveLength(2)
    const { json } = await client.get(`/v1/videos/${joinedAgain.videoId}`)
    expect(json).toMatchObject({ sourceVideoId: joined.videoId, files, combine: true })
  })

  it('answers a repeated Idempotency-Key with the same video, also when the source has gone since', async () => {
    const first = await aFinished()
    const key = { 'Idempotency-Key': 'once-more' }
    const { json } = await again(first.videoId, {}, key)
    await client.post(`/v1/videos/${(json as Created).videoId}/cancel`)
    for (const { videoId } of [first, json as Created]) await client.delete(`/v1/videos/${videoId}`)
    expect((await again(first.videoId, {}, key)).json).toEqual(json)
  })

  it('says when the file is no longer kept, and when there is no such video of this account', async () => {
    const first = await aFinished()
    const until = new Date(Date.now() + 7 * day * 1000).toISOString()
    advanceSeconds(7 * day)
    await tick()
    expect(refusal(await again(first.videoId))).toEqual({
      status: 409,
      error: 'Conflict',
      message: `The file of ${first.videoId} is no longer kept; send it again. It was kept until ${until}.`,
    })
    const other = await aStoredVideo()
    expect(refusal(await again(other.videoId))).toEqual({
      status: 404,
      error: 'NotFound',
      message: `sourceVideoId: there is no video ${other.videoId}.`,
    })
  })

  it('refuses a file that expires this very moment, before any sweep has looked', async () => {
    const first = await aFinished()
    advanceSeconds(7 * day - 30)
    expect(refusal(await again(first.videoId))).toMatchObject({
      status: 409,
      message: `The file of ${first.videoId} is no longer kept; send it again.`,
    })
  })
})

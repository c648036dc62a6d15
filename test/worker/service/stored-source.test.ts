import { describe, expect, it } from 'vitest'
import { dropReceived, openUpload } from '../../../worker/service/uploads/source-upload.ts'
import { findUpload } from '../../../worker/store/objects/uploads.ts'
import { aClient, administer } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import {
  aStoredVideo,
  objectKeys,
  sourceKeys,
  start,
  videoRow,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { tick } from '../../support/worker/tick.ts'

standInForAll()
const day = 86_400

async function aFinished(client: Client) {
  const stored = await aStoredVideo(client)
  const { attempt } = await start(stored)
  await attempt.finish()
  return stored
}

describe('a source in the bucket', () => {
  it('is given to the media worker as an address for this object only', async () => {
    const created = await aStoredVideo()
    const { attempt } = await start(created)
    const [input, ...others] = attempt.job.inputs
    expect(others).toEqual([])
    expect(input).toMatchObject({ field: 'file', origin: 'storage' })
    const { origin, pathname, searchParams } = new URL(input?.url ?? '')
    expect(origin + pathname).toBe(
      `http://127.0.0.1:8787/cdn-cgi/local/r2/s3/spool-media/uploads/${created.uploadId}/source`,
    )
    expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
    // Twelve hours for all attempts of a job, and one more.
    expect(searchParams.get('X-Amz-Expires')).toBe('46800')
  })

  it('gets a new address for every attempt', async () => {
    const created = await aStoredVideo()
    const first = await start(created)
    advanceSeconds(3600)
    await first.attempt.release()
    const second = await start(created)
    expect(second.attempt.job.inputs[0]?.url).not.toBe(first.attempt.job.inputs[0]?.url)
  })

  it('gives the video its name, and is not in the record', async () => {
    const { client, videoId } = await aStoredVideo(undefined, { fileName: 'Ein “Film”.final.MOV' })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ videoName: 'Ein “Film”.final' })
    expect(JSON.stringify(json)).not.toContain('uploads/')
  })

  it('is removed with the video, at once', async () => {
    const client = await aClient()
    const { videoId, uploadId } = await aFinished(client)
    expect(await sourceKeys(uploadId)).toHaveLength(1)
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect(await sourceKeys(uploadId)).toEqual([])
    expect(await objectKeys(videoId)).toEqual([])
  })

  it('is kept as long as the account says, independently of the outputs', async () => {
    const { accountId } = await administer<'accounts.create'>({
      command: 'accounts.create',
      rateLimits: '100000/60',
      retainSourcesDays: 2,
      retainOutputsDays: 3,
    })
    const { videoId, uploadId } = await aFinished(await aClient({ accountId }))
    advanceSeconds(2 * day - 1)
    await tick()
    expect(await sourceKeys(uploadId)).toHaveLength(1)
    advanceSeconds(1)
    await tick()
    expect(await sourceKeys(uploadId)).toEqual([])
    expect(await objectKeys(videoId)).toHaveLength(1)
    expect(await videoRow(videoId)).toMatchObject({ sourceDeletedAt: Date.now() })
    advanceSeconds(day)
    await tick()
    expect(await objectKeys(videoId)).toEqual([])
  })

  it('stays while the video is unfinished, and 7 days after it has failed', async () => {
    const created = await aStoredVideo()
    const { attempt } = await start(created)
    await attempt.fail({ retryable: false })
    advanceSeconds(7 * day - 1)
    await tick()
    expect(await sourceKeys(created.uploadId)).toHaveLength(1)
    advanceSeconds(1)
    await tick()
    expect(await sourceKeys(created.uploadId)).toEqual([])
  })
})

it('a source that no video took leaves nothing when it is dropped', async () => {
  const { accountId } = await aClient()
  const announced = { accountId, fileName: 'a.mp4', contentType: 'video/mp4', partBytes: 5 }
  const opened = await openUpload(
    bindings,
    { ...announced, sizeBytes: null },
    'receiving',
    Date.now(),
  )
  const multipart = bindings.BUCKET.resumeMultipartUpload(opened.key, opened.multipartId)
  await multipart.uploadPart(1, 'bytes')
  await dropReceived(bindings, accountId, opened)
  expect(await findUpload(bindings.DB, accountId, opened.uploadId, Date.now())).toBeUndefined()
  await expect(multipart.uploadPart(1, 'bytes')).rejects.toThrow()
})

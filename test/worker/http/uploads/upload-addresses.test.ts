import { beforeAll, describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { refusal, type Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aReadyUpload,
  aReceivedUpload,
  openUpload,
  pngBytes,
} from '../../../support/worker/uploads.ts'
import { aVideo, sourceKeys, start } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

let client: Client
beforeAll(async () => {
  client = await aClient()
})

const fileUrl = 'https://example.com/talk.mp4'
const logo = (uploadId: string) => ({ type: 'image', url: `upload://${uploadId}` })
const withLogo = (uploadId: string) => ({ fileUrl, elements: [logo(uploadId)] })

describe('an upload where an address is asked for', () => {
  it('is read by each job whose request names it, and stays for other requests', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    for (const round of [1, 2]) {
      const { attempt } = await start(await aVideo(client, withLogo(uploadId)))
      const [source] = attempt.job.elementSources ?? []
      expect(source, `video ${round}`).toMatchObject({ origin: 'storage' })
      expect(source?.url).toContain(`/uploads/${uploadId}/source?`)
    }
    expect((await client.get(`/v1/uploads/${uploadId}`)).json).toMatchObject({ status: 'ready' })
  })

  it('may be one of several files', async () => {
    const { uploadId } = await aReadyUpload(client)
    const files = [{ url: `upload://${uploadId}` }, { url: fileUrl }]
    const video = await aVideo(client, { fileUrl: undefined, combine: true, files })
    const { attempt } = await start(video)
    expect(attempt.job.inputs.map(({ origin }) => origin)).toEqual(['storage', 'customer'])
  })

  it('is kept for a day after the last request that named it', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    advanceSeconds(86_000)
    await aVideo(client, withLogo(uploadId))
    advanceSeconds(86_000)
    const kept = await client.post('/v1/videos', withLogo(uploadId))
    expect(kept.status).toBe(202)
    advanceSeconds(86_401)
    const gone = await client.post('/v1/videos', withLogo(uploadId))
    expect(refusal(gone)).toMatchObject({
      status: 400,
      message: `elements[0].url: There is no upload ${uploadId}. One is kept for a day after it was last named; upload the file once more`,
    })
  })

  it('is kept as long for the videos of a batch, and for a video that is made once more', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    advanceSeconds(86_000)
    const batch = await client.post('/v1/batches', { items: [withLogo(uploadId)] })
    expect(batch.status, batch.text).toBe(202)
    advanceSeconds(86_000)
    const files = [{ url: fileUrl }, { url: `upload://${uploadId}`, duration: 2 }]
    const first = await aVideo(client, { fileUrl: undefined, combine: true, files })
    advanceSeconds(86_000)
    const again = await client.post('/v1/videos', { sourceVideoId: first.videoId })
    expect(again.status, again.text).toBe(202)
    advanceSeconds(86_000)
    expect((await client.get(`/v1/uploads/${uploadId}`)).status).toBe(200)
  })

  it('is refused in a batch with the item that names it, if it does not exist', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    const items = [withLogo(uploadId), withLogo('u_0000000000000000')]
    const answer = await client.post('/v1/batches', { items })
    expect(refusal(answer)).toMatchObject({ status: 400, error: 'ValidationError' })
    expect(answer.json['details']).toEqual([
      {
        field: 'items[1].elements[0].url',
        message:
          'There is no upload u_0000000000000000. One is kept for a day after it was last named; upload the file once more',
      },
    ])
  })

  it('fails the job with its field if it is deleted before the job begins', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    const { videoId, jobId } = await aVideo(client, withLogo(uploadId))
    expect((await client.delete(`/v1/uploads/${uploadId}`)).status).toBe(204)
    expect(await sourceKeys(uploadId)).toEqual([])
    await queue.current.deliverNext(jobId)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'failed' })
    expect(json['errorMessage']).toContain(`elements[0].url: There is no upload ${uploadId}.`)
  })

  it.each<[string, () => Promise<string>, string]>([
    ['of another account', async () => (await aReadyUpload(await aClient())).uploadId, 'no upload'],
    ['that does not exist', async () => 'u_0000000000000000', 'no upload'],
    ['that is open', async () => (await openUpload(client, 10)).uploadId, 'not complete yet'],
    [
      'that has become a source',
      async () => {
        const { uploadId } = await aReadyUpload(client)
        await client.post('/v1/videos', { uploadId })
        return uploadId
      },
      'has become the source of video v_',
    ],
    ['without an id', async () => 'logo.png', 'Must name an upload by its uploadId'],
  ])('refuses one %s', async (_which, uploadIdOf, message) => {
    const answer = await client.post('/v1/videos', withLogo(await uploadIdOf()))
    expect(refusal(answer)).toMatchObject({ status: 400, error: 'ValidationError' })
    expect(answer.json['message']).toMatch(/^elements\[0\]\.url: /)
    expect(answer.json['message']).toContain(message)
  })

  it('cannot be the source of a video if it is a picture', async () => {
    const { uploadId } = await aReadyUpload(client, pngBytes())
    const answer = await client.post('/v1/videos', { uploadId })
    expect(refusal(answer)).toMatchObject({ status: 409, error: 'Conflict' })
    expect(answer.json['message']).toContain(`upload://${uploadId}`)
  })

  it('can be the source of a video, or be heard over one, if it is a sound', async () => {
    const wav = new Uint8Array(
      new TextEncoder().encode('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0'),
    )
    const { uploadId } = await aReadyUpload(client, wav)
    const heard = { type: 'audio', url: `upload://${uploadId}` }
    await aVideo(client, { fileUrl, elements: [heard] })
    const answer = await client.post('/v1/videos', { uploadId, background: '#101820' })
    expect(answer.status, answer.text).toBe(202)
  })

  it('cannot be saved in a preset, because it is removed before the preset is', async () => {
    const { uploadId } = await aReceivedUpload(client, pngBytes())
    const fields = { elements: [logo(uploadId)] }
    const answer = await client.send('/v1/presets/logo', {
      method: 'PUT',
      body: JSON.stringify({ fields }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(refusal(answer)).toMatchObject({
      status: 400,
      message:
        'fields.elements[0].url: An upload is kept for a day only; give an address that lasts',
    })
  })
})

import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { refusal, send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  attemptRows,
  aVideo,
  eventRows,
  jobRow,
  objectKeys,
  sourceUrl,
  videoRow,
} from '../../../support/worker/videos.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { campaign } from '../../../support/node/campaign.ts'
import { finalText } from '../../../support/worker/attempt.ts'

const { media, queue } = standInForAll()

const webhookUrl = 'https://hooks.example.com/spool'
const stop = { action: 'stop' }
const pathOf = ({ videoId }: { videoId: string }) => `/v1/videos/${videoId}`

async function tombstoneOf(videoId: string): Promise<unknown> {
  const stone = bindings.DB.prepare(
    'SELECT created_at, list_after FROM tombstones WHERE prefix = ?',
  )
  return stone.bind(`videos/${videoId}/`).first()
}

describe('changeVideo', () => {
  it('changes the name and nothing else, and answers with the record', async () => {
    const client = await aClient()
    const video = await aVideo(client)
    const before = await videoRow(video.videoId)
    advanceSeconds(1)
    const answer = await client.patch(pathOf(video), { videoName: 'Ünïcødé — 映像 🎬' })
    expect(answer).toMatchObject({ status: 200, json: { videoName: 'Ünïcødé — 映像 🎬' } })
    expect(answer.json).toEqual((await client.get(pathOf(video))).json)
    const change = { name: 'Ünïcødé — 映像 🎬', updatedAt: Date.now() }
    expect(await videoRow(video.videoId)).toEqual({ ...before, ...change })
  })

  it('renames a finished video, and the file that its link saves', async () => {
    const client = await aClient()
    const video = await aFinishedVideo(client)
    const { json } = await client.patch(pathOf(video), { videoName: 'final cut' })
    expect(json['finalVideoUrl']).toMatch(/\/final%20cut\.mp4\?object=/)
  })

  it('replaces metadata as a whole, and keeps what the request leaves out', async () => {
    const client = await aClient()
    const video = await aVideo(client, { metadata: { order: 1, note: 'old' }, videoName: 'Talk' })
    await client.patch(pathOf(video), { metadata: { order: 2, quote: 'it\'s "so" ü' } })
    const changed = await videoRow(video.videoId)
    expect(changed?.name).toBe('Talk')
    expect(changed?.request.metadata).toEqual({ order: 2, quote: 'it\'s "so" ü' })
    expect(changed?.request.fileUrl).toBe(sourceUrl)
    await client.patch(pathOf(video), { videoName: 'Keynote', metadata: {} })
    const emptied = await videoRow(video.videoId)
    expect(emptied).toMatchObject({ name: 'Keynote', request: { metadata: {} } })
  })

  it('sends a webhook with the metadata that was changed meanwhile', async () => {
    const client = await aClient()
    const video = await aVideo(client, { metadata: { order: 1 }, webhookUrl })
    await client.patch(pathOf(video), { metadata: { order: 2 } })
    await client.post(`${pathOf(video)}/cancel`)
    const [event] = await eventRows(video.videoId)
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { metadata: { order: 2 } } })
  })
})

describe('cancelVideo', () => {
  it('cancels a queued video; its message then starts nothing', async () => {
    const client = await aClient()
    const video = await aVideo(client, { webhookUrl })
    const answer = await client.post(`${pathOf(video)}/cancel`)
    expect(answer).toMatchObject({ status: 200, json: { status: 'canceled', webhookUrl } })
    expect(answer.json).toEqual((await client.get(pathOf(video))).json)
    expect(await jobRow(video.jobId)).toMatchObject({ finishedAt: Date.now(), attempts: 0 })
    expect(await eventRows(video.videoId)).toMatchObject([{ type: 'video.canceled' }])
    await queue.current.deliverNext(video.jobId)
    expect(media.current.offersOf(video.jobId)).toEqual([])
  })

  it('tells the media worker of a running video, and refuses its late success', async () => {
    const client = await aClient()
    const video = await aRunningVideo(client, { webhookUrl })
    const written = await video.attempt.upload('final', finalText)
    expect((await client.post(`${pathOf(video)}/cancel`)).status).toBe(200)
    await eventually(() => expect(media.current.cancels).toHaveLength(1))
    const [{ worker } = { worker: '' }] = media.current.offersOf(video.jobId)
    expect(media.current.cancels).toEqual([{ worker, jobId: video.jobId, fence: 1 }])

    expect((await video.attempt.succeed([written])).json).toEqual(stop)
    expect(await videoRow(video.videoId)).toMatchObject({ status: 'canceled', result: null })
    expect(await attemptRows(video.jobId)).toMatchObject([{ outcome: 'canceled' }])
    expect(await objectKeys(video.videoId)).toEqual([])
    expect(await eventRows(video.videoId)).toMatchObject([{ type: 'video.canceled' }])
  })

  it('succeeds even if the media worker cannot be told, which learns of it with its next report', async () => {
    const client = await aClient()
    const video = await aRunningVideo(client)
    vi.mocked(globalThis.fetch).mockRejectedValue(new TypeError('connection refused'))
    expect((await client.post(`${pathOf(video)}/cancel`)).status).toBe(200)
    expect((await video.attempt.progress(50)).json).toEqual(stop)
  })

  it('cancels once when asked ten times at the same moment and once later, with the same answer', async () => {
    const client = await aClient()
    const video = await aRunningVideo(client, { webhookUrl })
    const cancel = async () => client.post(`${pathOf(video)}/cancel`)
    const answers = await Promise.all(Array.from({ length: 10 }, cancel))
    answers.push(await cancel())
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.slice(-2).map(({ text }) => text)).size).toBe(1)
    expect(await eventRows(video.videoId)).toHaveLength(1)
  })

  it('lets either the cancel or the success win, never both', async () => {
    const client = await aClient()
    const video = await aRunningVideo(client, { webhookUrl })
    const written = await video.attempt.upload('final', finalText)
    const [canceled] = await Promise.all([
      client.post(`${pathOf(video)}/cancel`),
      video.attempt.succeed([written]),
    ])
    const status = (await videoRow(video.videoId))?.status
    expect(status).toBe(canceled.status === 200 ? 'canceled' : 'succeeded')
    expect(await eventRows(video.videoId)).toMatchObject([{ type: `video.${status}` }])
  })

  it('conflicts with an end of another kind', async () => {
    const client = await aClient()
    const succeeded = await aFinishedVideo(client)
    expect(refusal(await client.post(`${pathOf(succeeded)}/cancel`))).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The video has already succeeded; it cannot be canceled.',
    })
    const failed = await aRunningVideo(client)
    await failed.attempt.fail({ retryable: false })
    expect((await client.post(`${pathOf(failed)}/cancel`)).status).toBe(409)
    expect(await videoRow(failed.videoId)).toMatchObject({ status: 'failed' })
  })
})

describe('deleteVideo', () => {
  it('refuses while the video is unfinished, and says what to do', async () => {
    const client = await aClient()
    const queued = await aVideo(client)
    expect(refusal(await client.delete(pathOf(queued)))).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The video is queued; cancel it before deleting it.',
    })
    const running = await aRunningVideo(client)
    expect((await client.delete(pathOf(running))).status).toBe(409)
    expect(await videoRow(running.videoId)).toMatchObject({ status: 'running' })
    expect(await tombstoneOf(running.videoId)).toBeNull()
  })

  it('removes record, job, objects and links at once, and leaves a tombstone', async () => {
    const client = await aClient()
    const video = await aFinishedVideo(client, { enableThumbnail: true })
    const { json } = await client.get(pathOf(video))
    const link = new URL(String(json['finalVideoUrl'])).pathname
    expect((await send(link)).status).toBe(200)
    expect(await objectKeys(video.videoId)).toHaveLength(2)

    const answer = await client.delete(pathOf(video))
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect((await client.get(pathOf(video))).status).toBe(404)
    expect((await client.get(`/v1/jobs/${video.jobId}`)).status).toBe(404)
    expect((await client.delete(pathOf(video))).status).toBe(404)
    expect((await send(link)).status).toBe(404)
    expect(await objectKeys(video.videoId)).toEqual([])
    expect(await jobRow(video.jobId)).toBeUndefined()
    expect(await attemptRows(video.jobId)).toEqual([])
    expect(await tombstoneOf(video.videoId)).toEqual({
      created_at: Date.now(),
      list_after: Date.now() + 7 * 86_400_000,
    })
    expect((await client.get('/v1/videos')).json).toEqual({
      data: [],
      archived: false,
      nextCursor: null,
    })
  })

  campaign('removes more objects than one listing holds', async () => {
    const client = await aClient()
    const video = await aFinishedVideo(client)
    const keys = Array.from({ length: 520 }, (_, i) => `videos/${video.videoId}/out/1/${i}`)
    await Promise.all(keys.map(async (key) => bindings.BUCKET.put(key, 'x')))
    expect((await client.delete(pathOf(video))).status).toBe(204)
    expect(await objectKeys(video.videoId)).toEqual([])
  })

  it('deletes videos that were canceled or have failed', async () => {
    const client = await aClient()
    const canceled = await aVideo(client)
    await client.post(`${pathOf(canceled)}/cancel`)
    expect((await client.delete(pathOf(canceled))).status).toBe(204)
    const failed = await aRunningVideo(client)
    await failed.attempt.fail({ retryable: false })
    expect((await client.delete(pathOf(failed))).status).toBe(204)
    expect((await failed.attempt.progress(10)).json).toEqual(stop)
  })

  it('does not say that it is deleted while R2 does not answer, because its links still work', async () => {
    const client = await aClient()
    const video = await aFinishedVideo(client)
    const broken = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    broken.mockRejectedValue(new Error('R2 is down'))
    expect((await client.delete(pathOf(video))).status).toBe(500)
    broken.mockRestore()
    expect((await client.get(pathOf(video))).status).toBe(200)
    expect((await client.delete(pathOf(video))).status).toBe(204)
    expect(await objectKeys(video.videoId)).toEqual([])
  })
})

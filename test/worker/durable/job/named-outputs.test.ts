import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { stopTheClock } from '../../../support/worker/clock.ts'
import { fileAt } from '../../../support/worker/files.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import { aRunningVideo, eventRows, finalText, videoRow } from '../../../support/worker/videos.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }

const request = {
  webhookUrl: 'https://hooks.example.com/',
  outputs: [
    { name: 'podcast', outputFormat: 'mp3' },
    { name: 'web' },
    { name: 'phone', aspectRatio: '9:16' },
  ],
}

const named = [
  { name: 'podcast', kind: 'output-podcast', format: 'mp3', duration: 2.5, warnings: [] },
  ...(['final', 'output-phone'] as const).map((kind, i) => ({
    ...{ name: ['web', 'phone'][i], kind, format: 'mp4' },
    ...{ width: 640, height: 360, duration: 2.5, warnings: ['It is dark.'] },
  })),
]

async function aRunningJob() {
  const client = await aClient()
  return { client, ...(await aRunningVideo(standIns, client, request)) }
}

describe('a video with several outputs', () => {
  it('tells the media worker which, and shows each with its link once all are stored', async () => {
    const { client, videoId, attempt } = await aRunningJob()
    expect(attempt.job.options.outputs).toEqual(request.outputs)
    expect(attempt.job.title).toEqual(expect.any(String))
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
      await attempt.upload('output-phone', 'the tall one'),
    ]
    expect((await attempt.succeed(written, { named })).status).toBe(200)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const record = json as { finalVideoUrl: string; outputs: { url: string }[] }
    expect(record).toMatchObject({
      status: 'succeeded',
      outputs: [
        { name: 'podcast', outputFormat: 'mp3', format: 'mp3', bytes: 9, duration: 2.5 },
        { name: 'web', format: 'mp4', width: 640, height: 360, bytes: finalText.length },
        { name: 'phone', aspectRatio: '9:16', format: 'mp4', warnings: ['It is dark.'] },
      ],
    })
    expect(record.outputs[1]?.url).toBe(record.finalVideoUrl)
    const [, , phone] = record.outputs
    const { pathname, search } = new URL(phone?.url ?? '')
    expect((await fileAt(pathname + search, videoId).get()).text).toBe('the tall one')
    const [event] = await eventRows(videoId)
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({
      data: { outputs: [{ bytes: 9 }, {}, {}] },
    })
  })

  it('fails as a whole if one of them cannot be stored, and names it', async () => {
    const { videoId, attempt } = await aRunningJob()
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
    ]
    expect((await attempt.succeed(written, { named })).status).toBe(200)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
  })

  it('leaves nothing in the bucket once it is deleted', async () => {
    const { client, videoId, attempt } = await aRunningJob()
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
      await attempt.upload('output-phone', 'the tall one'),
    ]
    await attempt.succeed(written, { named })
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect((await bindings.BUCKET.list({ prefix: `videos/${videoId}/` })).objects).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { endJob } from '../../../../worker/service/jobs/end-job.ts'
import { reusedEnding } from '../../../../worker/service/reuse/reused-ending.ts'
import { findJob } from '../../../../worker/store/jobs/jobs.ts'
import { findStanding } from '../../../../worker/store/videos/standing.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { aTrace, type Attempt, finalText } from '../../../support/worker/attempt.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { send, type Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { healthAnswer } from '../../../support/worker/media-workers.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { tick } from '../../../support/worker/tick.ts'
import {
  aRunningVideo,
  aStoredVideo,
  attemptRows,
  aVideo,
  eventRows,
  objectKeys,
  start,
  transcriptTexts,
  videoRow,
  type Started,
} from '../../../support/worker/videos.ts'

const { media, queue } = standInForAll()

const engine = '1.0.0-abc'
const bytes = (letter: string) => letter.repeat(64)
const one = [{ field: 'fileUrl', sha256: bytes('a') }]

type Files = { field: string; sha256: string }[]

/** Tells what the attempt has fetched; `stop` says that it need do no more. */
async function fetched(attempt: Attempt, files: Files = one, by = engine): Promise<unknown> {
  const { json } = await attempt.report({ type: 'fetched', engine: by, files })
  return json['action']
}

/** A video that a media worker has made of these files. */
async function made(client?: Client, request: object = {}, files: Files = one) {
  const started = await aRunningVideo(client, request)
  expect(await fetched(started.attempt, files)).toBe('carry-on')
  await started.attempt.finish()
  return started
}

/** Another video of the same account, whose files have just been fetched. */
async function again(client: Client, request: object = {}, files: Files = one) {
  const started = await aRunningVideo(client, request)
  return { ...started, action: await fetched(started.attempt, files) }
}

async function linkOf(client: Client, videoId: string): Promise<string> {
  const { pathname, search } = new URL(String((await client.record(videoId))['finalVideoUrl']))
  return pathname + search
}

const statusOf = async (path: string) => (await send(path)).status

async function keptBytes(client: Client): Promise<unknown> {
  const { results } = await bindings.DB.prepare(
    'SELECT kept_bytes FROM usage_totals WHERE account_id = (SELECT account_id FROM api_keys WHERE id = ?)',
  )
    .bind(client.keyId)
    .all()
  return results[0]?.['kept_bytes']
}

describe('a job of which the same was made before', () => {
  it('ends with that result as soon as its files are fetched', async () => {
    const client = await aClient()
    const first = await made(client)
    const webhookUrl = 'https://hooks.example.com/spool'
    const asked = { webhookUrl, videoName: 'Again', metadata: { n: 2 } }
    const second = await again(client, asked)
    expect(second.action).toBe('stop')
    const [before, after] = [
      await client.record(first.videoId),
      await client.record(second.videoId),
    ]
    expect(after).toMatchObject({
      ...{ status: 'succeeded', progressPercent: 100, reusedFrom: first.videoId },
      ...{ videoName: 'Again', metadata: { n: 2 }, videoMetadata: before['videoMetadata'] },
    })
    expect(before).not.toHaveProperty('reusedFrom')
    expect(after['finalVideoUrl']).not.toBe(before['finalVideoUrl'])
    expect((await send(await linkOf(client, second.videoId))).text).toBe(finalText)
    expect(await objectKeys(second.videoId)).toEqual([])
    expect(await eventRows(second.videoId)).toMatchObject([{ type: 'video.succeeded' }])
    expect(await attemptRows(second.jobId)).toMatchObject([{ outcome: 'succeeded' }])
    expect(await keptBytes(client)).toBe(finalText.length)
  })

  it('answers a third, also after the first is deleted', async () => {
    const client = await aClient()
    const first = await made(client)
    const second = await again(client)
    expect((await client.delete(`/v1/videos/${first.videoId}`)).status).toBe(204)
    const third = await again(client)
    expect(third.action).toBe('stop')
    expect(await client.record(third.videoId)).toMatchObject({ reusedFrom: second.videoId })
    expect((await send(await linkOf(client, third.videoId))).text).toBe(finalText)
  })

  it('shows last the attempt that made the result, however often it was used since', async () => {
    const client = await aClient()
    const first = await aRunningVideo(client)
    await fetched(first.attempt)
    const trace = { ...aTrace, plan: { video: 'copy' } }
    await first.attempt.finish({ trace })
    advanceSeconds(1)
    const second = await again(client)
    const third = await again(client)
    expect((await client.delete(`/v1/videos/${second.videoId}`)).status).toBe(204)
    const { json } = await client.get(`/v1/jobs/${third.jobId}`)
    expect(json['attempts']).toMatchObject([{ plan: null }, { plan: { video: 'copy' } }])
  })

  it('is not warned of the destinations of the other', async () => {
    const client = await aClient()
    const first = await aRunningVideo(client, { analyzeOnly: true })
    const change = `UPDATE videos SET request = json_set(request, '$.destinations', json('[{"storage":"out","keep":true}]')) WHERE id = ?`
    await bindings.DB.prepare(change).bind(first.videoId).run()
    await fetched(first.attempt)
    const transcript = { status: 'not_requested' }
    await first.attempt.succeed([], { videoMetadata: undefined, suggestions: [], transcript })
    const said = 'analyzeOnly: no video was made, so these did nothing: destinations.'
    expect(await client.record(first.videoId)).toMatchObject({ warnings: [said] })
    const { videoId, action } = await again(client, { analyzeOnly: true })
    expect(action).toBe('stop')
    expect(await client.record(videoId)).toMatchObject({ warnings: [] })
  })

  it.each([
    { speed: 1, trim: { start: 0 }, elements: [], removeSegments: [], removeText: [] },
    { blurFaces: false, chapters: false, split: false, rotate: 0 },
  ])('has that result also where options say what holds without them: %j', async (idle) => {
    const client = await aClient()
    const first = await made(client)
    const second = await again(client, idle)
    expect(await client.record(second.videoId)).toMatchObject({ reusedFrom: first.videoId })
  })

  it('has the words of that result, too', async () => {
    const client = await aClient()
    const request = { enableTranscription: true }
    const first = await aRunningVideo(client, request)
    await fetched(first.attempt)
    const kinds = ['json', 'txt', 'srt', 'vtt'] as const
    const written = [await first.attempt.upload('final', finalText)]
    for (const kind of kinds) {
      const name = `transcript-${kind}` as const
      written.push(await first.attempt.upload(name, transcriptTexts[name]))
    }
    const heard = { status: 'completed', text: 'Hello there.', language: 'en', confidence: 0.9 }
    await first.attempt.succeed(written, { transcript: heard })
    const { videoId } = await again(client, request)
    expect(await client.record(videoId)).toMatchObject({ transcript: heard })
    expect((await client.get(`/v1/videos/${videoId}/transcript?format=srt`)).text).toBe(
      transcriptTexts['transcript-srt'],
    )
  })

  it('is done if anything differs on which the result depends', async () => {
    const { client } = await made()
    const others: [string, { request?: object; files?: Files; by?: string; who?: Client }][] = [
      ['a byte of the source', { files: [{ field: 'fileUrl', sha256: bytes('b') }] }],
      ['an option', { request: { compressionQuality: 99 } }],
      ['the names to listen for', { request: { vocabulary: ['Spool'] } }],
      ['the engine', { by: '1.0.1-abc' }],
      ['the account', { who: await aClient() }],
      ['the wish for reuse', { request: { reuse: false } }],
    ]
    for (const [what, { request, files, by, who = client }] of others) {
      const { attempt } = await aRunningVideo(who, request)
      expect(await fetched(attempt, files, by), what).toBe('carry-on')
      await attempt.fail({ retryable: false })
    }
    expect(await again(client)).toMatchObject({ action: 'stop' })
  })

  it('asks for the same, in whatever order its options stand', async () => {
    const client = await aClient()
    const crop = { x: '10%', y: '0%', width: '80%', height: '90%' }
    await made(client, { rotate: 90, crop, compressionQuality: 80 })
    const { height, width, y, x } = crop
    const turned = { compressionQuality: 80, crop: { height, width, y, x }, rotate: 90 }
    expect(await again(client, turned)).toMatchObject({ action: 'stop' })
    const other = { ...turned, crop: { ...crop, x: '0%', y: '10%' } }
    expect(await again(client, other)).toMatchObject({ action: 'carry-on' })
  })

  it('is done if its result is to be removed once it is delivered', async () => {
    const { client } = await made()
    const { attempt, videoId } = await aRunningVideo(client)
    const change = `UPDATE videos SET request = json_set(request, '$.destinations', json('[{"keep":false}]')) WHERE id = ?`
    await bindings.DB.prepare(change).bind(videoId).run()
    expect(await fetched(attempt)).toBe('carry-on')
  })

  it('is done if the files of an element differ, whatever their address', async () => {
    const client = await aClient()
    const element = (name: string) => ({
      elements: [
        {
          type: 'image',
          url: `https://media.example.com/${name}.png`,
          position: { anchor: 'center' },
        },
      ],
    })
    const files = (letter: string) => [...one, { field: 'elements[0].url', sha256: bytes(letter) }]
    await made(client, element('logo'), files('c'))
    expect(await again(client, element('logo'), files('d'))).toMatchObject({ action: 'carry-on' })
    expect(await again(client, element('same-logo'), files('c'))).toMatchObject({ action: 'stop' })
    // Nobody has told what lies there.
    await made(client, element('untold'))
    expect(await again(client, element('untold'))).toMatchObject({ action: 'carry-on' })
  })

  it('is done if the result lacks what was asked for', async () => {
    const client = await aClient()
    const first = await aRunningVideo(client, { enableTranscription: true })
    await fetched(first.attempt)
    await first.attempt.finish({
      transcript: { status: 'failed', message: 'Nobody answered.' },
    })
    expect(await again(client, { enableTranscription: true })).toMatchObject({ action: 'carry-on' })
  })

  it('is done if the result was deleted, or is about to expire', async () => {
    const { client, videoId } = await made()
    await client.delete(`/v1/videos/${videoId}`)
    expect(await again(client)).toMatchObject({ action: 'carry-on' })
    const other = await aClient()
    await made(other)
    advanceSeconds(30 * 86_400 - 30)
    expect(await again(other)).toMatchObject({ action: 'carry-on' })
  })

  it('is done if somebody has removed a file of the result from the bucket', async () => {
    const { client, videoId } = await made()
    for (const key of await objectKeys(videoId)) await bindings.BUCKET.delete(key)
    const { action, attempt, ...second } = await again(client)
    expect(action).toBe('carry-on')
    await attempt.finish()
    expect((await send(await linkOf(client, second.videoId))).text).toBe(finalText)
  })

  it('does not end with a result that is deleted between the question and the answer', async () => {
    const client = await aClient()
    const first = await made(client)
    const { videoId, jobId, attempt } = await aRunningVideo(client, { reuse: false })
    const found = await findJob(bindings.DB, jobId)
    const { work, accountId } = (await videoRow(first.videoId)) ?? {}
    const same = await findStanding(
      bindings.DB,
      { accountId: accountId ?? '', work: work ?? '' },
      Date.now(),
    )
    if (!found || !same) throw new Error('there is nothing to use')
    await client.delete(`/v1/videos/${first.videoId}`)
    const { fence } = found.job
    const ending = reusedEnding(same, { work: work ?? '', engine })
    expect(await endJob(bindings, found, { jobId, videoId, fence }, ending)).toBe(false)
    await attempt.finish()
    expect((await send(await linkOf(client, videoId))).text).toBe(finalText)
  })

  it('goes on if its end with that result is refused', async () => {
    const { client } = await made()
    const { videoId, attempt } = await aRunningVideo(client)
    await bindings.DB.exec(
      'CREATE TRIGGER vanish BEFORE UPDATE ON videos WHEN NEW.files_of IS NOT NULL BEGIN SELECT RAISE(IGNORE); END',
    )
    expect(await fetched(attempt)).toBe('carry-on')
    await bindings.DB.exec('DROP TRIGGER vanish')
    await attempt.finish()
    expect(await client.record(videoId)).toMatchObject({ status: 'succeeded' })
    expect(await client.record(videoId)).not.toHaveProperty('reusedFrom')
  })
})

describe('a job whose only file is known already', () => {
  /** A video of an upload, made by `engine`. */
  async function ofUpload(client: Client): Promise<Started> {
    const first = await start(await aStoredVideo(client))
    await fetched(first.attempt, [{ field: 'file', sha256: bytes('a') }])
    await first.attempt.finish()
    return first
  }

  it('ends at once, without a media worker', async () => {
    const client = await aClient()
    const { videoId: sourceVideoId } = await ofUpload(client)
    media.current.answerHealth = () => healthAnswer({ engine })
    const second = await aVideo(client, { fileUrl: undefined, sourceVideoId })
    await queue.current.deliverNext(second.jobId)
    expect(await client.record(second.videoId)).toMatchObject({
      ...{ status: 'succeeded', reusedFrom: sourceVideoId },
    })
    expect(media.current.offersOf(second.jobId)).toEqual([])
    expect(await attemptRows(second.jobId)).toEqual([])
  })

  it('ends with what was made while it stood in line, when it is called', async () => {
    const client = await aClient()
    const { videoId: sourceVideoId } = await ofUpload(client)
    media.current.answerHealth = () => healthAnswer({ engine })
    const asked = { fileUrl: undefined, sourceVideoId, rotate: 90 }
    const { videoId, attempt } = await aRunningVideo(client, asked)
    const second = await aVideo(client, asked)
    await fetched(attempt, [{ field: 'sourceVideoId', sha256: bytes('a') }])
    await attempt.finish()
    const runner = jobRunner(bindings, second.jobId)
    expect(await runner.answerCall(second.jobId)).toBe('over')
    expect(await client.record(second.videoId)).toMatchObject({ reusedFrom: videoId })
    expect(media.current.offersOf(second.jobId)).toEqual([])
  })

  it('is given to a media worker if that would make it with another engine', async () => {
    const client = await aClient()
    const { videoId: sourceVideoId } = await ofUpload(client)
    media.current.answerHealth = () => healthAnswer({ engine: '1.0.1-abc' })
    const second = await aVideo(client, { fileUrl: undefined, sourceVideoId })
    await queue.current.deliverNext(second.jobId)
    expect(media.current.offersOf(second.jobId)).toHaveLength(1)
  })
})

describe('files that several videos have', () => {
  it('stay until the last of them is deleted, while the links of each end with it', async () => {
    const client = await aClient()
    const first = await made(client)
    const second = await again(client)
    const [link, other] = [
      await linkOf(client, first.videoId),
      await linkOf(client, second.videoId),
    ]
    await client.delete(`/v1/videos/${first.videoId}`)
    expect([await statusOf(link), await statusOf(other)]).toEqual([404, 200])
    expect(await keptBytes(client)).toBe(finalText.length)
    await client.delete(`/v1/videos/${second.videoId}`)
    expect([await statusOf(link), await statusOf(other)]).toEqual([404, 404])
    expect(await objectKeys(first.videoId)).toEqual([])
    expect(await keptBytes(client)).toBe(0)
  })

  it('stay if the one that borrowed them is deleted first', async () => {
    const client = await aClient()
    const first = await made(client)
    const second = await again(client)
    const link = await linkOf(client, first.videoId)
    await client.delete(`/v1/videos/${second.videoId}`)
    expect(await statusOf(link)).toBe(200)
  })

  it('go once, if both are deleted at the same time', async () => {
    const client = await aClient()
    const first = await made(client)
    const second = await again(client)
    await Promise.all(
      [first, second].map(async ({ videoId }) => client.delete(`/v1/videos/${videoId}`)),
    )
    // What one of them still wrote when the other had removed all goes with the tombstone.
    advanceSeconds(8 * 86_400)
    await tick()
    expect(await objectKeys(first.videoId)).toEqual([])
    expect(await keptBytes(client)).toBe(0)
  })

  it('are kept as long as the one that keeps them longest, by every sweep', async () => {
    const client = await aClient()
    const first = await made(client)
    advanceSeconds(20 * 86_400)
    const second = await again(client)
    expect(second.action).toBe('stop')
    advanceSeconds(11 * 86_400)
    await tick()
    const { filesDeletedAt } = (await videoRow(first.videoId)) ?? {}
    expect(filesDeletedAt).toBeTypeOf('number')
    expect((await send(await linkOf(client, second.videoId))).text).toBe(finalText)
    await client.delete(`/v1/videos/${first.videoId}`)
    advanceSeconds(2 * 86_400)
    await tick()
    expect((await send(await linkOf(client, second.videoId))).text).toBe(finalText)
    advanceSeconds(20 * 86_400)
    await tick()
    expect(await objectKeys(first.videoId)).toEqual([])
    expect(await keptBytes(client)).toBe(0)
  })
})

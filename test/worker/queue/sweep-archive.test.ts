import { describe, expect, it, vi } from 'vitest'
import { sweepArchive } from '../../../worker/queue/sweep-archive.ts'
import { forgetWords } from '../../../worker/store/kept-words.ts'
import { aClient, administer } from '../../support/worker/accounts.ts'
import { archiveAll, archiveKeys } from '../../support/worker/archived.ts'
import { aTrace } from '../../support/worker/attempt.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  aFinishedVideo,
  aTranscribedVideo,
  aVideo,
  attemptRows,
  eventRows,
  jobRow,
  videoRow,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { campaign } from '../../support/node/campaign.ts'

standInForAll()
const webhookUrl = 'https://hooks.example.com/spool'
const pathOf = (videoId: string) => `/v1/videos/${videoId}`
const day = 86_400

async function tick(): Promise<void> {
  await sweepArchive(bindings, Date.now())
}

describe('the archive', () => {
  it('answers as the database did, and leaves no row behind', async () => {
    const { client, videoId, jobId } = await aTranscribedVideo()
    await archiveAll(31)
    const before = {
      video: (await client.get(pathOf(videoId))).json,
      job: (await client.get(`/v1/jobs/${jobId}`)).json,
      transcript: (await client.get(`${pathOf(videoId)}/transcript`)).json,
    }
    expect(before.job).toMatchObject({ attempts: [aTrace] })
    expect(await videoRow(videoId)).toBeDefined()
    await archiveAll(60)
    expect(await videoRow(videoId)).toBeUndefined()
    expect(await jobRow(jobId)).toBeUndefined()
    expect(await attemptRows(jobId)).toEqual([])
    expect({
      video: (await client.get(pathOf(videoId))).json,
      job: (await client.get(`/v1/jobs/${jobId}`)).json,
      transcript: (await client.get(`${pathOf(videoId)}/transcript`)).json,
    }).toEqual(before)
    expect((await client.get(`/v1/jobs?videoId=${videoId}`)).json).toEqual({
      data: [before.job],
      nextCursor: null,
    })
    const events = await client.get(`${pathOf(videoId)}/events`)
    expect(events.status).toBe(200)
    expect(events.text).toContain('event: end')
  })

  it('is not found by another account', async () => {
    const { client, videoId, jobId } = await aFinishedVideo()
    await archiveAll()
    const other = await aClient()
    expect((await other.get(pathOf(videoId))).status).toBe(404)
    expect((await other.get(`/v1/jobs/${jobId}`)).status).toBe(404)
    expect((await other.delete(pathOf(videoId))).status).toBe(404)
    expect((await other.get('/v1/videos?archived=true')).json['data']).toEqual([])
    expect((await client.get(pathOf(videoId))).status).toBe(200)
  })

  it('is asked once for an id that never was', async () => {
    const client = await aClient()
    await client.get(pathOf('v_00000000'))
    const get = vi.spyOn(prototypeOf(bindings.BUCKET), 'get')
    const list = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    expect((await client.get(pathOf('v_00000001'))).status).toBe(404)
    expect([get.mock.calls.length, list.mock.calls.length]).toEqual([1, 0])
    expect((await client.get('/v1/videos/v_1')).status).toBe(404)
    expect(get).toHaveBeenCalledTimes(1)
  })

  it('is listed by itself, newest first, page after page', async () => {
    const client = await aClient()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.unshift((await aFinishedVideo(client)).videoId)
      advanceSeconds(1)
    }
    await archiveAll()
    const kept = await aVideo(client)
    const idsOf = ({ json }: Awaited<ReturnType<typeof client.get>>) =>
      (json['data'] as { videoId: string }[]).map(({ videoId }) => videoId)
    const current = await client.get('/v1/videos')
    expect(idsOf(current)).toEqual([kept.videoId])
    expect(current.json).toMatchObject({ archived: false, nextCursor: null })
    const first = await client.get('/v1/videos?archived=true&limit=2')
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    expect(first.json['archived']).toBe(true)
    const cursor = String(first.json['nextCursor'])
    const second = await client.get(`/v1/videos?archived=true&limit=2&cursor=${cursor}`)
    expect(idsOf(second)).toEqual(ids.slice(2))
    expect(second.json['nextCursor']).toBeNull()
    const both = await client.get('/v1/videos?archived=true&status=failed')
    expect(both.status).toBe(400)
  })

  it('refuses changes, and says that the video is archived', async () => {
    const { client, videoId } = await aTranscribedVideo()
    await archiveAll()
    for (const change of [
      { videoName: 'other' },
      { speakerNames: {} },
      { speakerNames: { a: 'b' } },
    ]) {
      const changed = await client.patch(pathOf(videoId), change)
      expect(changed.status).toBe(409)
      expect(changed.json['message']).toContain('archived')
    }
    expect((await client.post(`${pathOf(videoId)}/cancel`)).status).toBe(409)
    expect((await client.patch(pathOf('v_00000000'), { videoName: 'x' })).status).toBe(404)
  })
})

describe('deleting an archived video', () => {
  it('takes everything with it at once', async () => {
    const { client, videoId, jobId } = await aFinishedVideo()
    await archiveAll()
    expect(await archiveKeys(client.accountId)).toHaveLength(3)
    expect((await client.delete(pathOf(videoId))).status).toBe(204)
    expect(await archiveKeys(client.accountId)).toEqual([])
    expect(await bindings.BUCKET.head(`traces/${videoId}/1.json`)).toBeNull()
    expect((await client.get(pathOf(videoId))).status).toBe(404)
    expect((await client.get(`/v1/jobs/${jobId}`)).status).toBe(404)
    expect((await client.delete(pathOf(videoId))).status).toBe(404)
  })

  it('is kept waiting by what was heard for it, which goes with the row and is not in the archive', async () => {
    const { client, videoId } = await aFinishedVideo()
    await bindings.DB.prepare(
      "INSERT INTO kept_words (account_id, name, engine, video_id, sha256, expires_at) VALUES (?, 'n', 'e', ?, 's', ?)",
    )
      .bind(client.accountId, videoId, Date.now() + 100 * day * 1_000)
      .run()
    await archiveAll()
    expect(await videoRow(videoId)).toBeDefined()
    advanceSeconds(10 * day)
    await forgetWords(bindings, Date.now())
    await tick()
    expect(await videoRow(videoId)).toBeUndefined()
  })

  it('takes what was said in it out of the log of webhooks', async () => {
    const { client, videoId } = await aTranscribedVideo(undefined, { request: { webhookUrl } })
    await bindings.DB.exec('UPDATE webhook_deliveries SET finished_at = created_at')
    expect((await eventRows(videoId))[0]?.body).toContain('Goodbye')
    await archiveAll()
    expect(await videoRow(videoId)).toBeUndefined()
    expect((await client.delete(pathOf(videoId))).status).toBe(204)
    const [event] = await eventRows(videoId)
    expect(event?.body).toContain(videoId)
    expect(event?.body).not.toContain('Goodbye')
  })
})

describe('what is archived', () => {
  it('follows the age that the account sets, and "none" archives nothing', async () => {
    const never = await aClient()
    const soon = await aClient()
    const change = { command: 'accounts.change' } as const
    await administer({ ...change, accountId: never.accountId, archiveAfterDays: null })
    await administer({ ...change, accountId: soon.accountId, archiveAfterDays: 40 })
    const kept = await aFinishedVideo(never)
    const leaves = await aFinishedVideo(soon)
    await archiveAll(39)
    expect(await videoRow(leaves.videoId)).toBeDefined()
    await archiveAll(1)
    expect(await videoRow(leaves.videoId)).toBeUndefined()
    await archiveAll(3650)
    expect(await videoRow(kept.videoId)).toBeDefined()
  })

  it('has no files any more', async () => {
    const client = await aClient()
    const { accountId } = client
    await administer({ command: 'accounts.change', accountId, retainOutputsDays: 100 })
    const { videoId } = await aFinishedVideo(client)
    await archiveAll(99)
    expect(await videoRow(videoId)).toBeDefined()
    await archiveAll(2)
    expect(await videoRow(videoId)).toBeUndefined()
  })

  it('has no webhook that is still to be sent', async () => {
    const { videoId } = await aFinishedVideo(undefined, { webhookUrl })
    await archiveAll()
    expect(await videoRow(videoId)).toBeDefined()
    await bindings.DB.exec('UPDATE webhook_deliveries SET finished_at = created_at')
    await tick()
    expect(await videoRow(videoId)).toBeUndefined()
    expect(await eventRows(videoId)).toHaveLength(1)
  })

  it('is not a video that was changed while it was written', async () => {
    const { client, videoId } = await aFinishedVideo()
    advanceSeconds(1)
    const bucket = prototypeOf(bindings.BUCKET)
    const head = bucket.head.bind(bindings.BUCKET)
    vi.spyOn(bucket, 'head').mockImplementationOnce(async (key) => {
      await client.patch(pathOf(videoId), { videoName: 'renamed' })
      return head(key)
    })
    await archiveAll()
    expect((await client.get(pathOf(videoId))).json['videoName']).toBe('renamed')
    await tick()
    expect(await videoRow(videoId)).toBeDefined()
    advanceSeconds(61)
    await tick()
    expect(await videoRow(videoId)).toBeUndefined()
    expect((await client.get(pathOf(videoId))).json['videoName']).toBe('renamed')
  })

  it('is not a video that was deleted while it was written', async () => {
    const { client, videoId } = await aFinishedVideo()
    const bucket = prototypeOf(bindings.BUCKET)
    const head = bucket.head.bind(bindings.BUCKET)
    vi.spyOn(bucket, 'head').mockImplementationOnce(async (key) => {
      expect((await client.delete(pathOf(videoId))).status).toBe(204)
      return head(key)
    })
    await archiveAll()
    expect(await archiveKeys(client.accountId)).toEqual([])
    expect((await client.get(pathOf(videoId))).status).toBe(404)
  })

  it('is there once if two sweeps archive it at the same time', async () => {
    const { client, videoId } = await aFinishedVideo()
    const bucket = prototypeOf(bindings.BUCKET)
    const head = bucket.head.bind(bindings.BUCKET)
    vi.spyOn(bucket, 'head').mockImplementationOnce(async (key) => {
      await sweepArchive(bindings, Date.now())
      return head(key)
    })
    await archiveAll()
    expect(await videoRow(videoId)).toBeUndefined()
    expect(await archiveKeys(client.accountId)).toHaveLength(3)
    expect((await client.get(pathOf(videoId))).status).toBe(200)
  })

  it('is the later one of two that are written at the same time, if it was renamed in between', async () => {
    const { client, videoId } = await aFinishedVideo()
    const bucket = prototypeOf(bindings.BUCKET)
    const put = bucket.put.bind(bindings.BUCKET)
    vi.spyOn(bucket, 'put').mockImplementationOnce((async (...given: Parameters<typeof put>) => {
      const renamed = await client.patch(pathOf(videoId), { videoName: 'renamed' })
      expect(renamed.status).toBe(200)
      advanceSeconds(61)
      await sweepArchive(bindings, Date.now())
      return put(...given)
    }) as typeof put)
    await archiveAll()
    expect(await videoRow(videoId)).toBeUndefined()
    expect((await client.get(pathOf(videoId))).json['videoName']).toBe('renamed')
  })

  it('does not come back if it was deleted there, and a sweep that has read it earlier writes it later', async () => {
    const { client, videoId } = await aFinishedVideo()
    const bucket = prototypeOf(bindings.BUCKET)
    const put = bucket.put.bind(bindings.BUCKET)
    vi.spyOn(bucket, 'put').mockImplementationOnce((async (...given: Parameters<typeof put>) => {
      await sweepArchive(bindings, Date.now())
      expect(await videoRow(videoId)).toBeUndefined()
      expect((await client.delete(pathOf(videoId))).status).toBe(204)
      return put(...given)
    }) as typeof put)
    await archiveAll()
    expect((await client.get(pathOf(videoId))).status).toBe(404)
    expect(await archiveKeys(client.accountId)).toEqual([])
  })

  it('stays in the database while the bucket does not take it, and lets the others go', async () => {
    const client = await aClient()
    const first = await aFinishedVideo(client)
    const second = await aFinishedVideo(client)
    const log = recordLog()
    const bucket = prototypeOf(bindings.BUCKET)
    const put = bucket.put.bind(bindings.BUCKET)
    const broken = vi.spyOn(bucket, 'put').mockImplementation((async (
      ...given: Parameters<typeof put>
    ) => {
      if (given[0].includes(first.videoId)) throw new Error('R2 is down')
      return put(...given)
    }) as typeof put)
    await archiveAll()
    expect(await videoRow(first.videoId)).toBeDefined()
    expect(await videoRow(second.videoId)).toBeUndefined()
    const failed = log.lines().filter(({ event }) => event === 'a video could not be archived')
    expect(failed).toMatchObject([{ videoId: first.videoId }])
    broken.mockRestore()
    await tick()
    expect(await videoRow(first.videoId)).toBeUndefined()
  })

  campaign('leaves 200 videos at a time, and frees the size that D1 reports', async () => {
    const { accountId } = await aClient()
    const size = async () => (await bindings.DB.prepare('SELECT 1').all()).meta.size_after
    const before = await size()
    const long = Date.now() - 200 * day * 1000
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 210)`
    await bindings.DB.prepare(
      `${rows} INSERT INTO videos (id, account_id, name, status, request, transcript_status, analysis_status,
         created_at, updated_at, finished_at, files_expire_at, files_deleted_at, error_message)
       SELECT 'v_' || (10000000 + i), '${accountId}', 'x', 'failed', '{}', 'not_requested', 'not_requested',
         ${long} + i, ${long}, ${long}, ${long}, ${long}, hex(randomblob(12000)) FROM n`,
    ).run()
    await bindings.DB.prepare(
      `${rows} INSERT INTO jobs (id, video_id, account_id, sweep_after, created_at, finished_at)
       SELECT 'j_' || (10000000 + i), 'v_' || (10000000 + i), '${accountId}', ${long}, ${long}, ${long} FROM n`,
    ).run()
    const full = await size()
    expect(full - before).toBeGreaterThan(4_000_000)
    const left = async () =>
      bindings.DB.prepare('SELECT count(*) AS n FROM videos WHERE account_id = ?')
        .bind(accountId)
        .first('n')
    await tick()
    expect(await left()).toBe(10)
    await tick()
    expect(await left()).toBe(0)
    expect((await size()) - before).toBeLessThan((full - before) / 10)
  })
})

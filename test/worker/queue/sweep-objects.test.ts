import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sweepObjects } from '../../../worker/queue/sweep-objects.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { send, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import { aFinishedVideo, aRunningVideo, objectKeys, videoRow } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const day = 86_400
const pathOf = (videoId: string) => `/v1/videos/${videoId}`

async function tick(): Promise<void> {
  await sweepObjects(bindings, Date.now())
}

async function listAfter(videoId: string): Promise<number | null> {
  const stone = bindings.DB.prepare('SELECT list_after FROM tombstones WHERE prefix = ?')
  return stone.bind(`videos/${videoId}/`).first('list_after')
}

async function aDeletedVideo(client: Client): Promise<string> {
  const { videoId } = await aFinishedVideo(client)
  expect((await client.delete(pathOf(videoId))).status).toBe(204)
  return videoId
}

/** Makes R2 fail to list these prefixes. */
function breakListing(...videoIds: string[]): { mockRestore(): void } {
  const bucket = prototypeOf(bindings.BUCKET)
  const list = bucket.list.bind(bindings.BUCKET)
  return vi.spyOn(bucket, 'list').mockImplementation(async (options) => {
    const broken = videoIds.some((id) => options?.prefix?.includes(id))
    if (broken) throw new Error('R2 is down')
    return list(options)
  })
}

beforeAll(tick)

describe('sweep of tombstones', () => {
  it('empties a deleted prefix once more after 7 days, and forgets it', async () => {
    const videoId = await aDeletedVideo(await aClient())
    await bindings.BUCKET.put(`videos/${videoId}/out/1/late.mp4`, 'written late')
    advanceSeconds(7 * day - 1)
    await tick()
    expect(await objectKeys(videoId)).toHaveLength(1)
    advanceSeconds(1)
    await tick()
    expect(await objectKeys(videoId)).toEqual([])
    expect(await listAfter(videoId)).toBeNull()
  })

  it('removes at the next tick what came while DELETE died, and still checks again after 7 days', async () => {
    const videoId = await aDeletedVideo(await aClient())
    const deletedAt = Date.now()
    // The row was deleted, but the tombstone was not settled.
    await bindings.DB.exec('UPDATE tombstones SET list_after = created_at')
    await bindings.BUCKET.put(`videos/${videoId}/out/1/late.mp4`, 'written late')
    advanceSeconds(60)
    await tick()
    expect(await objectKeys(videoId)).toEqual([])
    expect(await listAfter(videoId)).toBe(deletedAt + 7 * day * 1000)
    advanceSeconds(7 * day)
    await tick()
    expect(await listAfter(videoId)).toBeNull()
  })
})

describe('sweep of expired files', () => {
  it('removes the files when filesExpireAt has come, and keeps the record', async () => {
    const { client, videoId } = await aFinishedVideo(undefined, { enableThumbnail: true })
    const { json } = await client.get(pathOf(videoId))
    const expireAt = Date.parse(String(json['filesExpireAt']))
    advanceSeconds((expireAt - Date.now()) / 1000 - 1)
    await tick()
    expect(await objectKeys(videoId)).toHaveLength(2)
    advanceSeconds(1)
    await tick()
    expect(await objectKeys(videoId)).toEqual([])
    expect(await videoRow(videoId)).toMatchObject({ filesDeletedAt: Date.now() })
    const after = await client.get(pathOf(videoId))
    expect(after).toMatchObject({ status: 200, json: { status: 'succeeded' } })
    expect(after.json).not.toHaveProperty('finalVideoUrl')
    expect(after.json).not.toHaveProperty('linksExpireAt')
    const expired = String(json['filesExpireAt'])
    expect(after.json).toMatchObject({
      filesExpireAt: expired,
      warnings: [`The files of this video were kept until ${expired}; they are gone.`],
    })
  })

  it('removes them once', async () => {
    const { videoId } = await aFinishedVideo()
    advanceSeconds(31 * day)
    await tick()
    const log = recordStatements()
    const list = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    await tick()
    expect(list).not.toHaveBeenCalled()
    expect(log.texts.filter((text) => /^(update|delete) .*videos/.test(text))).toEqual([])
    expect((await videoRow(videoId))?.filesDeletedAt).toBe(Date.now())
  })

  it('leaves the files of an unfinished video alone', async () => {
    const { videoId, attempt } = await aRunningVideo()
    await attempt.upload('final', 'abc')
    await bindings.BUCKET.put(`videos/${videoId}/source`, 'x')
    await tick()
    expect(await objectKeys(videoId)).toEqual([`videos/${videoId}/source`])
  })

  it('continues with the others if one cannot be removed, and tries that one again', async () => {
    const client = await aClient()
    const bad = await aFinishedVideo(client)
    const worse = await aDeletedVideo(client)
    advanceSeconds(1)
    const good = await aFinishedVideo(client)
    advanceSeconds(31 * day)
    const said = recordLog()
    const broken = breakListing(bad.videoId, worse)
    await tick()
    broken.mockRestore()
    expect(await objectKeys(good.videoId)).toEqual([])
    expect(await objectKeys(bad.videoId)).toHaveLength(1)
    expect(await videoRow(bad.videoId)).toMatchObject({ filesDeletedAt: null })
    const failures = said.lines().filter(({ event }) => event === 'sweep could not remove objects')
    expect(failures.map(({ prefix }) => prefix)).toEqual([
      `videos/${worse}/`,
      `traces/${worse}/`,
      `videos/${bad.videoId}/`,
    ])
    await tick()
    expect(await objectKeys(bad.videoId)).toEqual([])
    expect(await listAfter(worse)).toBeNull()
  })

  it('does no more than 200 in a tick', async () => {
    const { videoId } = await aFinishedVideo()
    const ids = Array.from({ length: 201 }, (_, i) => `v_swept${String(i).padStart(3, '0')}`)
    const copy = bindings.DB.prepare(
      `INSERT INTO videos (id, account_id, name, status, request, transcript_status,
         analysis_status, created_at, updated_at, files_expire_at)
       SELECT ?, account_id, name, status, request, transcript_status, analysis_status,
         created_at, updated_at, 1 FROM videos WHERE id = ?`,
    )
    await bindings.DB.batch(ids.map((id) => copy.bind(id, videoId)))
    const list = vi.spyOn(prototypeOf(bindings.BUCKET), 'list')
    await tick()
    expect(list).toHaveBeenCalledTimes(200)
    await tick()
    expect(list).toHaveBeenCalledTimes(201)
  })
})

describe('links of expired files', () => {
  it('end with the file, before the sweep has come', async () => {
    const { client, videoId } = await aFinishedVideo()
    advanceSeconds(29 * day)
    const { json } = await client.get(pathOf(videoId))
    const link = new URL(String(json['finalVideoUrl'])).pathname
    expect((await send(link)).status).toBe(200)
    advanceSeconds(day)
    expect(await objectKeys(videoId)).toHaveLength(1)
    expect((await send(link)).status).toBe(403)
  })

  it('find nothing when the time of the file was cut after they were made', async () => {
    const { client, videoId } = await aFinishedVideo()
    const { json } = await client.get(pathOf(videoId))
    const cut = bindings.DB.prepare('UPDATE videos SET files_expire_at = ? WHERE id = ?')
    await cut.bind(Date.now(), videoId).run()
    expect((await send(new URL(String(json['finalVideoUrl'])).pathname)).status).toBe(404)
  })
})

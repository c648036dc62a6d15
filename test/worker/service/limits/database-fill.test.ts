import { describe, expect, it, vi } from 'vitest'
import { deriveKey } from '../../../../worker/contract/keyed-hash.ts'
import { watchDatabase } from '../../../../worker/queue/sweep.ts'
import { judgeFill, sayFill } from '../../../../worker/service/limits/database-fill.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import { aVideo, sourceUrl, start, videoRow } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

/** Lets D1 say that it holds this much of 10 GB. */
function reportFill(percent: number): { percent: number } {
  const reported = { percent }
  const told = (result: D1Result): D1Result => ({
    ...result,
    meta: { ...result.meta, size_after: reported.percent * 100_000_000 },
  })
  const database = prototypeOf(bindings.DB)
  const batch = Reflect.get(database, 'batch') as (...given: unknown[]) => Promise<D1Result[]>
  vi.spyOn(database as Record<'batch', typeof batch>, 'batch').mockImplementation(async function (
    this: D1Database,
    ...given
  ) {
    return (await batch.apply(this, given)).map(told)
  })
  const statement = prototypeOf(bindings.DB.prepare('SELECT 1'))
  const all = Reflect.get(statement, 'all') as () => Promise<D1Result>
  vi.spyOn(statement as Record<'all', typeof all>, 'all').mockImplementation(async function (
    this: D1PreparedStatement,
  ) {
    return told(await all.apply(this))
  })
  return reported
}

const create = { fileUrl: sourceUrl }

describe('the fill of the database', () => {
  it('has levels at 60, 80 and 95 %', () => {
    const levelAt = (percent: number) => judgeFill(percent, 100).level
    const percents = [0, 59.9, 60, 79.9, 80, 94.9, 95, 120]
    expect(percents.map(levelAt)).toEqual([
      ...['roomy', 'roomy', 'filling', 'filling'],
      ...['nearly full', 'nearly full', 'full', 'full'],
    ])
    expect(sayFill(judgeFill(59, 100))).toBeUndefined()
    expect(sayFill(judgeFill(82.7, 100))).toBe('The database is 82 % full')
  })

  it('is told by /health, which stays ok, by /metrics, and by a line of the log each hour', async () => {
    advanceSeconds(60)
    const reported = reportFill(81)
    const health = await send('/health')
    const message = 'The database is 81 % full'
    expect(health.status).toBe(200)
    expect(health.json).toMatchObject({ checks: { database: { status: 'ok', message } } })
    const token = await deriveKey(bindings.SPOOL_ADMIN_SECRET, 'metrics')
    const metrics = await send('/metrics', { headers: { Authorization: `Bearer ${token}` } })
    expect(metrics.text).toContain('spool_database_level 2\n')
    expect(metrics.text).toContain('spool_database_limit_bytes 10000000000\n')
    const log = recordLog()
    const said = () => log.lines().filter(({ event }) => event === 'the database fills up')
    for (let minute = 0; minute < 60; minute++) await watchDatabase(bindings, Date.now())
    expect(said()).toMatchObject([{ level: 'warn', message }])
    reported.percent = 96
    await watchDatabase(bindings, Date.now())
    expect(said()).toHaveLength(2)
    advanceSeconds(3600)
    await watchDatabase(bindings, Date.now())
    expect(said()).toHaveLength(3)
    expect(said().at(-1)).toMatchObject({ level: 'error' })
  })

  it('refuses what adds a video from 95 % on, and nothing else, until there is room again', async () => {
    const client = await aClient()
    const key = { 'Idempotency-Key': 'once' }
    advanceSeconds(10)
    const reported = reportFill(94)
    const running = await aVideo(client)
    const first = await client.post('/v1/videos', create, key)
    reported.percent = 96
    // The one create with which the isolate learns of it.
    expect((await client.post('/v1/videos', create)).status).toBe(202)
    const refused = await client.post('/v1/videos', create)
    expect(refused.status).toBe(507)
    expect(refused.headers.get('Retry-After')).toBe('60')
    expect(refused.json).toMatchObject({ error: 'InsufficientStorage', retryAfter: 60 })
    expect(refused.json['message']).toContain('full')
    const upload = { fileName: 'a.mp4', sizeInBytes: 5, contentType: 'video/mp4' }
    expect((await client.post('/v1/uploads', upload)).status).toBe(507)
    const form = new FormData()
    form.append('file', new File(['x'], 'a.mp4'))
    const sent = await client.send('/v1/videos/upload', { method: 'POST', body: form })
    expect(sent.status).toBe(507)
    const repeated = await client.post('/v1/videos', create, key)
    expect([repeated.status, repeated.text]).toEqual([202, first.text])

    const { attempt } = await start(running)
    await attempt.finish()
    expect(await videoRow(running.videoId)).toMatchObject({ status: 'succeeded' })
    const path = `/v1/videos/${running.videoId}`
    expect((await client.patch(path, { videoName: 'other' })).status).toBe(200)
    expect((await client.delete(path)).status).toBe(204)

    reported.percent = 94
    expect((await client.post('/v1/videos', create)).status).toBe(507)
    advanceSeconds(10)
    expect((await client.post('/v1/videos', create)).status).toBe(202)
  })
})

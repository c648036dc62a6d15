import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { send } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { healthAnswer, standInMediaWorkers } from '../../support/worker/media-workers.ts'
import type { ContainerFault } from '../../../worker/service/line/dispatching.ts'
import { readSharedHealth } from '../../../worker/http/health.ts'
import type { Env } from '../../../worker/settings.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'

stopTheClock()
const media = standInMediaWorkers()

const ok = { status: 'ok' }

// Each test begins after the shared answer of the previous one has expired; the clock only goes forward.
let behind = 0
beforeEach(() => {
  behind += 3600
  advanceSeconds(behind)
})

describe('readHealth', () => {
  it('lists the checked parts, and needs no key', async () => {
    const answer = await send('/health')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      checks: { database: ok, storage: ok, disk: ok, mediaWorkers: ok },
    })
  })

  it('really reads D1 and R2, and shares the answer for ten seconds', async () => {
    const log = recordStatements()
    const head = vi.spyOn(prototypeOf(bindings.BUCKET), 'head')
    await send('/health')
    expect(log.calls).toBe(1)
    expect(head).toHaveBeenCalledTimes(1)
    advanceSeconds(9)
    await Promise.all(Array.from({ length: 20 }, async () => send('/health')))
    expect(log.calls).toBe(1)
    advanceSeconds(2)
    await send('/health')
    expect(log.calls).toBe(2)
  })

  it('is healthy while one media worker answers, even a busy one', async () => {
    const [first] = media.current.urls
    media.current.answerHealth = (worker) => {
      if (worker === first) throw new TypeError('connection refused')
      return healthAnswer({ running: 1 })
    }
    expect((await send('/health')).status).toBe(200)
  })

  it('tells what keeps containers from starting, where each job has one of its own', async () => {
    const healthWith = async (containerFault: () => Promise<ContainerFault | undefined>) => {
      advanceSeconds(60)
      const line = { getByName: () => ({ containerFault }) }
      const env = { ...bindings, MEDIA_WORKER_URLS: '', DISPATCHER: line } as unknown as Env
      const health = await readSharedHealth(env, Date.now(), { waitUntil: () => undefined })
      return health.checks['mediaWorkers']
    }
    expect(await healthWith(async () => undefined)).toEqual(ok)
    expect(await healthWith(async () => ({ refused: 4, said: 'no such image' }))).toEqual({
      status: 'failing',
      message: 'containers cannot start: refused 4 times in a row: no such image',
    })
    expect(await healthWith(async () => Promise.reject(new Error('gone')))).toEqual({
      status: 'failing',
      message: 'the line of jobs does not answer',
    })
  })

  it('says 503 and when to come back while no media worker answers, and recovers within 2 s', async () => {
    media.current.answerHealth = () => new Response('not ours', { status: 502 })
    const answer = await send('/health')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Retry-After')).toBe('10')
    expect(answer.json).toMatchObject({
      status: 'failing',
      checks: {
        database: ok,
        mediaWorkers: { status: 'failing', message: 'no media worker answers' },
      },
    })
    media.current.answerHealth = () => healthAnswer()
    advanceSeconds(2)
    expect((await send('/health')).status).toBe(200)
  })

  it('shares a fault for two seconds, so that requests do not burden the failing part', async () => {
    const head = vi.spyOn(prototypeOf(bindings.BUCKET), 'head')
    head.mockRejectedValue(new Error('R2 is down'))
    const first = await send('/health')
    advanceSeconds(1)
    const second = await send('/health')
    expect(second).toMatchObject({ status: 503, text: first.text })
    expect(second.headers.get('Retry-After')).toBe('10')
    expect(head).toHaveBeenCalledTimes(1)
    advanceSeconds(1)
    await send('/health')
    expect(head).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['D1_ERROR: database disk image is malformed: SQLITE_CORRUPT', 'SQLITE_CORRUPT'],
    ['internal error; reference = otaoaf5i64scl5mrltndvem0', 'internal error'],
  ])(
    'tells of a damaged database what requests met, and recovers when the same succeeds again: %s',
    async (message, code) => {
      const client = await aClient()
      expect((await send('/health')).status).toBe(200)
      const statements = prototypeOf(bindings.DB.prepare('SELECT 1'))
      const damaged = new Error(message)
      vi.spyOn(statements, 'raw').mockRejectedValueOnce(damaged)
      expect((await client.get('/v1/videos')).status).toBe(500)
      const head = vi.spyOn(prototypeOf(bindings.BUCKET), 'head')
      const told = await send('/health')
      expect(told).toMatchObject({
        status: 503,
        json: { checks: { database: { message: `D1 answers with errors: ${code}` } } },
      })
      expect((await client.get('/v1/videos')).status).toBe(200)
      expect((await send('/health')).status).toBe(503)
      expect(head).not.toHaveBeenCalled()
      advanceSeconds(60)
      expect((await send('/health')).status).toBe(503)
      expect((await client.get('/v1/videos')).status).toBe(200)
      expect((await send('/health')).status).toBe(200)
    },
  )

  it.each([
    ['D1_ERROR: disk I/O error: SQLITE_IOERR', 120],
    ['D1_ERROR: database disk image is malformed: SQLITE_CORRUPT', 3600],
  ])('forgets what nobody met again: %s after %d s', async (message, seconds) => {
    const client = await aClient()
    const statements = prototypeOf(bindings.DB.prepare('SELECT 1'))
    vi.spyOn(statements, 'raw').mockRejectedValueOnce(new Error(message))
    expect((await client.get('/v1/videos')).status).toBe(500)
    advanceSeconds(seconds - 1)
    expect((await send('/health')).status).toBe(503)
    advanceSeconds(1)
    expect((await send('/health')).status).toBe(200)
  })

  it('does not call an error of the bucket one of the database', async () => {
    const client = await aClient()
    const failed = new Error('get: We encountered an internal error. Please try again. (10001)')
    vi.spyOn(prototypeOf(bindings.BUCKET), 'get').mockRejectedValueOnce(failed)
    // A video that the database does not have is looked for in the archive.
    expect((await client.get('/v1/videos/v_aaaaaaaa')).status).toBe(500)
    expect((await send('/health')).status).toBe(200)
  })

  it('tells of a bucket that can be read and not written, until it takes something again', async () => {
    const client = await aClient()
    const announced = { fileName: 'a.mp4', sizeInBytes: 5, contentType: 'video/mp4' }
    const create = vi.spyOn(prototypeOf(bindings.BUCKET), 'createMultipartUpload')
    create.mockRejectedValueOnce(new Error('Read-only file system'))
    expect((await client.post('/v1/uploads', announced)).status).toBe(500)
    expect(await send('/health')).toMatchObject({
      status: 503,
      json: { checks: { storage: { message: 'R2 does not take what is written to it' } } },
    })
    expect((await client.post('/v1/uploads', announced)).status).toBe(201)
    expect((await send('/health')).status).toBe(200)
    create.mockRejectedValueOnce(new Error('Read-only file system'))
    expect((await client.post('/v1/uploads', announced)).status).toBe(500)
    advanceSeconds(119)
    expect((await send('/health')).status).toBe(503)
    advanceSeconds(1)
    expect((await send('/health')).status).toBe(200)
  })

  it('stays well after an error that concerns one statement', async () => {
    const client = await aClient()
    const refused = new Error('D1_ERROR: UNIQUE constraint failed: videos.id: SQLITE_CONSTRAINT')
    const statements = prototypeOf(bindings.DB.prepare('SELECT 1'))
    vi.spyOn(statements, 'raw').mockRejectedValueOnce(refused)
    expect((await client.get('/v1/videos')).status).toBe(500)
    expect((await send('/health')).status).toBe(200)
  })

  it('answers after a second with what it knew, while a part takes long to answer', async () => {
    await send('/health')
    advanceSeconds(11)
    let answer = (): void => undefined
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue()
    const slow = vi.spyOn(prototypeOf(bindings.BUCKET), 'head').mockReturnValue(
      new Promise((resolve) => {
        answer = () => resolve(null)
      }) as never,
    )
    expect((await send('/health')).status).toBe(200)
    expect(wait).toHaveBeenCalledWith(1000)
    expect((await send('/health')).status).toBe(200)
    expect(slow).toHaveBeenCalledTimes(1)
    answer()
  })

  it('says which store does not answer, but not why', async () => {
    vi.spyOn(prototypeOf(bindings.BUCKET), 'head').mockRejectedValue(new Error('secret detail'))
    const answer = await send('/health')
    expect(answer).toMatchObject({
      status: 503,
      json: { checks: { storage: { status: 'failing', message: 'R2 does not answer' } } },
    })
    expect(answer.text).not.toContain('secret')
  })
})

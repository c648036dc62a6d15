import { describe, expect, it } from 'vitest'
import { whyWaiting } from '../../../worker/service/line/why-waiting.ts'
import { aClient, administer, anAccount } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { mostPageBytes, pageWeight } from '../../support/worker/dashboard/page-weight.ts'
import { aFinishedVideo, aRunningVideo, aVideo } from '../../support/worker/videos.ts'
import { anOwner } from '../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

const path = '/app/operator'

/** The owner of the first account of the installation. */
async function anOperator() {
  const first = await bindings.DB.prepare(
    'SELECT id FROM accounts ORDER BY created_at, rowid LIMIT 1',
  ).first<string>('id')
  return anOwner(first ?? (await anAccount()))
}

describe('the page of the operator', () => {
  it('shows what runs, what waits and why, of every account', async () => {
    const operator = await anOperator()
    const client = await aClient()
    const { accountId } = client
    await administer<'accounts.change'>({
      command: 'accounts.change',
      accountId,
      name: 'Acme <Inc>',
    })
    await aRunningVideo(client, { videoName: 'Running talk' })
    await aVideo(client, { videoName: 'Waiting talk' })
    advanceSeconds(6)
    const { text, status } = await operator.get(path)
    expect(status).toBe(200)
    for (const shown of ['Running talk', 'Waiting talk', 'Acme &lt;Inc&gt;', accountId]) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('fetching, 0 %, attempt 1')
    expect(text).toContain('http://media-1.spool.test')
    expect(text).toContain('of 10 GB')
    expect(text).not.toContain('The database holds')
  })

  it('weighs little, as do the pages of keys, webhooks and usage', async () => {
    const operator = await anOperator()
    for (const page of [
      path,
      '/app/keys',
      '/app/webhooks',
      '/app/usage?from=2025-11-22&to=2026-11-21',
    ]) {
      const { bytes } = await pageWeight((await operator.get(page)).text)
      expect(bytes, page).toBeLessThan(mostPageBytes)
    }
  })

  it('lists dead letters, and replays them', async () => {
    const operator = await anOperator()
    const { jobId } = await aVideo(undefined, { videoName: 'Lost talk' })
    await deliver({ kind: 'dispatch', jobId, chain: 0 }, 'spool-jobs-dlq')
    advanceSeconds(6)
    expect((await operator.get(path)).text).toContain('Replay Lost talk')
    const before = queue.current.sentFor(jobId).length
    const answer = await operator.submit(`${path}/jobs/${jobId}/replay`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${path}?done=sent`])
    expect(queue.current.sentFor(jobId).length).toBe(before + 1)
    const done = await aFinishedVideo()
    const refused = await operator.submit(`${path}/jobs/${done.jobId}/replay`)
    expect(refused.headers.get('Location')).toBe(`${path}?refused=1`)
    expect((await operator.submit(`${path}/jobs/j_none/replay`)).status).toBe(404)
  })
})

describe('whyWaiting', () => {
  const job = {
    maxRunning: null,
    running: 0,
    attempts: 0,
    createdAt: 0,
    waits: 1,
  }
  const worker = {
    url: 'http://m',
    up: true,
    slots: 2,
    running: 0,
    fetching: 0,
    stopping: false,
    disk: 'roomy',
  } as const
  const now = 1_000_000

  it.each<
    [string, Partial<typeof job> & { maxRunning?: number | null }, Parameters<typeof whyWaiting>[1]]
  >([
    ['No media worker is responding', {}, [{ url: 'http://m', up: false }]],
    ['as many as its plan allows', { maxRunning: 2, running: 2 } as never, [worker]],
    ['All 2 slots are taken', {}, [{ ...worker, running: 2 }]],
    ['The only slot is taken', {}, [{ ...worker, slots: 1, running: 1 }]],
    ['the next one starts soon', { attempts: 1 }, [worker]],
    ['Just created', { createdAt: now - 100 }, [worker]],
    ['No media worker has enough disk space', {}, [{ ...worker, disk: 'low' }]],
    ['In line', {}, [worker]],
    ['About to start', { waits: 0 }, []],
  ])('says %s', (text, change, workers) => {
    expect(whyWaiting({ ...job, ...change }, workers, now)).toContain(text)
  })
})

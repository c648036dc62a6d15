import { describe, expect, it, vi } from 'vitest'
import { deriveKey } from '../../../worker/contract/keyed-hash.ts'
import { metricMeanings } from '../../../worker/contract/answers/metrics.ts'
import { aTrace, finalText } from '../../support/worker/attempt.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { send } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import { aFinishedVideo, aRunningVideo, aVideo } from '../../support/worker/videos.ts'
import { anEvent } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

async function scrape(token = bindings.SPOOL_ADMIN_SECRET) {
  return send('/metrics', { headers: { Authorization: `Bearer ${token.replaceAll(' ', '')}` } })
}

const token = async () => deriveKey(bindings.SPOOL_ADMIN_SECRET, 'metrics')

async function samples(): Promise<Map<string, number>> {
  // The state is shared for seconds.
  advanceSeconds(6)
  const { text } = await scrape(await token())
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

describe('GET /metrics', () => {
  it('is closed without its token', async () => {
    for (const answer of [await send('/metrics'), await scrape('wrong'), await scrape('')]) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="spool metrics"')
      expect(answer.text).not.toContain('spool_')
    }
    const client = await aClient()
    expect((await scrape(client.apiKey)).status).toBe(401)
    const other = await deriveKey(bindings.SPOOL_ADMIN_SECRET, 'other')
    expect((await scrape(other)).status).toBe(401)
  })

  it('has every metric, in the format of Prometheus', async () => {
    const answer = await scrape(await token())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    for (const [name, help] of Object.entries(metricMeanings)) {
      const type = name.endsWith('_total') ? 'counter' : 'gauge'
      expect(answer.text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`)
    }
    const line =
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? [0-9.e+-]+)$/
    const wrong = answer.text
      .trimEnd()
      .split('\n')
      .filter((text) => !line.test(text))
    expect(wrong).toEqual([])
    expect(answer.text.endsWith('\n')).toBe(true)
  })

  it('answers while the database is damaged, with what is known without it', async () => {
    const damaged = new Error('D1_ERROR: database disk image is malformed: SQLITE_CORRUPT')
    const batch = vi.spyOn(prototypeOf(bindings.DB), 'batch').mockRejectedValue(damaged)
    recordLog()
    const told = await samples()
    expect(told.get('spool_check{check="database"}')).toBe(0)
    expect(told.get('spool_check{check="storage"}')).toBe(1)
    const errors = [...told].find(([name]) => name.startsWith('spool_database_errors_total{'))
    expect(errors?.[0]).toContain('code="SQLITE_CORRUPT"')
    expect(errors?.[1]).toBeGreaterThan(0)
    expect([...told.keys()].filter((name) => name.startsWith('spool_jobs'))).toEqual([])
    batch.mockRestore()
    expect([...(await samples()).keys()]).toContain('spool_jobs{status="queued"}')
  })

  it('follows what happens', async () => {
    const client = await aClient()
    const before = await samples()
    const grown = (after: Map<string, number>, name: string) =>
      (after.get(name) ?? NaN) - (before.get(name) ?? 0)
    await aFinishedVideo(client)
    const waiting = await aVideo(client)
    await deliver({ kind: 'dispatch', jobId: waiting.jobId, chain: 0 }, 'spool-jobs-dlq')
    await anEvent(client)
    const after = await samples()
    expect(grown(after, 'spool_videos_total{result="succeeded"}')).toBe(1)
    expect(grown(after, 'spool_videos_total{result="canceled"}')).toBe(1)
    expect(grown(after, 'spool_storage_bytes')).toBe(finalText.length)
    expect(grown(after, 'spool_jobs{status="queued"}')).toBe(1)
    expect(grown(after, 'spool_jobs_dead_lettered')).toBe(1)
    expect(grown(after, 'spool_webhook_deliveries{status="pending"}')).toBe(1)
    expect(after.get('spool_queue_oldest_seconds')).toBeGreaterThanOrEqual(6)
    expect(after.get('spool_database_bytes')).toBeGreaterThan(10_000)
    expect(after.get('spool_processor_seconds_total')).toBeGreaterThan(1)
    const requests = [...after].filter(([name]) => name.startsWith('spool_requests_total{'))
    expect(requests.some(([name, count]) => name.includes('status="202"') && count > 0)).toBe(true)
  })

  it('counts copies that did not prove to be exact', async () => {
    const client = await aClient()
    const name = 'spool_copies_failed_total'
    const before = (await samples()).get(name) ?? NaN
    for (const copyFailed of [true, false, undefined]) {
      const { attempt } = await aRunningVideo(client)
      const trace = { ...aTrace, plan: { video: 'encode', copyFailed } }
      await attempt.finish({ trace })
    }
    expect((await samples()).get(name)).toBe(before + 1)
  })

  it('tells which media workers answer, and how busy they are', async () => {
    const all = await samples()
    const workers = [...all].filter(([name]) => name.startsWith('spool_media_worker_up'))
    expect(workers.map(([name]) => name)).toEqual([
      'spool_media_worker_up{worker="http://media-1.spool.test"}',
      'spool_media_worker_up{worker="http://media-2.spool.test"}',
    ])
  })

  it('asks the database for its state and its health, once for all who scrape', async () => {
    advanceSeconds(60)
    const log = recordStatements()
    for (let i = 0; i < 5; i++) await scrape(await token())
    expect(log.calls).toBe(2)
  })
})

import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import { deriveKey } from '../../../worker/contract/keyed-hash.ts'
import { webhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import { aClient, administer, anAccount, revoke } from '../../support/worker/accounts.ts'
import { tick } from '../../support/worker/tick.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import { isBounded } from './bounded-scans.ts'
import { anOwner } from '../../support/worker/dashboard/visitor.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aStoredVideo,
  aVideo,
  start,
} from '../../support/worker/videos.ts'
import { anEvent } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { busy } from '../../support/worker/media-workers.ts'

const { media, queue } = standInForAll()

const someCursor = btoa('1795231260000.v_12345678')
const batchCursor = btoa(`1795231260000.b_${'0'.repeat(16)}`)
const deliveryCursor = btoa(`1795231260000.dlv_${'0'.repeat(16)}`)
const webhookUrl = 'https://hooks.example.com/spool'

/** Calls every address that a client may use. */
async function useEveryEndpoint(client: Client): Promise<void> {
  const { videoId, jobId } = await aFinishedVideo(client, { webhookUrl })
  const path = `/v1/videos/${videoId}`
  const { json } = await client.get(path)
  await send(new URL(String(json['finalVideoUrl'])).pathname)
  await client.post('/v1/videos', { fileUrl: webhookUrl }, { 'Idempotency-Key': 'once' })
  await client.post('/v1/videos', { fileUrl: webhookUrl }, { 'Idempotency-Key': 'once' })
  await client.get(`${path}/transcript`)
  await client.get(`/v1/jobs/${jobId}`)
  await client.patch(path, { videoName: 'other' })
  const first = (await client.get('/v1/videos?limit=1')).json
  await client.get(`/v1/videos?limit=1&cursor=${String(first['nextCursor'])}`)
  await client.get('/v1/videos?status=succeeded')
  await client.get(`/v1/videos?status=queued&cursor=${String(first['nextCursor'])}`)
  await client.post(`/v1/videos/${(await aVideo(client)).videoId}/cancel`)
  await shareASource(client)
  await useTheBatches(client)
  await useTheDeliveries(client, videoId)
  await useThePages(client, videoId)
  await client.delete(path)
  await useWhatAccountsKeep(client)
  await send('/health')
}

async function shareASource(client: Client): Promise<void> {
  const stored = await aStoredVideo(client)
  const { json } = await client.post('/v1/videos', { sourceVideoId: stored.videoId })
  for (const { videoId } of [stored, json as { videoId: string }]) {
    await client.post(`/v1/videos/${videoId}/cancel`)
    await client.delete(`/v1/videos/${videoId}`)
  }
}

async function useTheBatches(client: Client): Promise<void> {
  const items = [{ fileUrl: webhookUrl }, { fileUrl: webhookUrl }]
  const { json } = await client.post('/v1/batches', { webhookUrl, items })
  const batch = `/v1/batches/${String(json['batchId'])}`
  await client.get('/v1/batches?limit=1')
  await client.get(`/v1/batches?cursor=${batchCursor}`)
  await client.get(batch)
  await client.get(`/v1/videos?batchId=${String(json['batchId'])}&status=queued`)
  const canceled = await client.post(`${batch}/cancel`)
  if (canceled.json['status'] !== 'ended') throw new Error(canceled.text)
}

async function useWhatAccountsKeep(client: Client): Promise<void> {
  const preset = { method: 'PUT', body: JSON.stringify({ fields: { removeSilence: true } }) }
  const headers = { 'Content-Type': 'application/json' }
  await client.send('/v1/presets/mine', { ...preset, headers })
  await client.get('/v1/presets')
  await client.post('/v1/videos', { fileUrl: webhookUrl, preset: 'mine' })
  await client.post('/v1/videos', { fileUrl: webhookUrl, preset: 'other' })
  await client.delete('/v1/presets/mine')
  const { json } = await client.post('/v1/webhooks/endpoints', { url: `${webhookUrl}/all` })
  const endpoint = `/v1/webhooks/endpoints/${String(json['endpointId'])}`
  await client.get('/v1/webhooks/endpoints')
  await client.get(endpoint)
  await client.post(`/v1/videos/${(await aVideo(client)).videoId}/cancel`)
  await client.patch(endpoint, { url: `${webhookUrl}/other` })
  await client.patch(endpoint, { enabled: false })
  await client.delete(endpoint)
  await client.get('/v1/usage')
  const token = await deriveKey(bindings.SPOOL_ADMIN_SECRET, 'metrics')
  await send('/metrics', { headers: { Authorization: `Bearer ${token}` } })
}

const deliveriesPath = '/v1/webhooks/deliveries'

async function useTheDeliveries(client: Client, videoId: string): Promise<void> {
  const { data } = (await client.get(deliveriesPath)).json as { data: { deliveryId: string }[] }
  await client.get(`${deliveriesPath}?videoId=${videoId}&cursor=${deliveryCursor}`)
  await client.get(`${deliveriesPath}?cursor=${deliveryCursor}`)
  await client.get('/v1/webhooks/events?since=2026-01-01T00:00:00Z')
  const { deliveryId = '' } = data[0] ?? {}
  // After eight days the links in its body have expired, so the body is written again.
  advanceSeconds(8 * 86_400)
  const redelivered = await client.post(`${deliveriesPath}/${deliveryId}/redeliver`)
  if (redelivered.status !== 202) throw new Error(redelivered.text)
  await deliver({ kind: 'deliver', deliveryId }, 'spool-webhooks')
  await webhookEndpoint(bindings, client.accountId, webhookUrl).settled()
  await client.get('/v1/webhooks/secret')
  await client.post('/v1/webhooks/secret/rotate')
}

/** Opens the pages of the dashboard, and uses their forms. */
async function useThePages({ accountId }: Client, videoId: string): Promise<void> {
  const owner = await anOwner(accountId)
  const cursor = someCursor
  const addresses = [
    '',
    '?q=holiday',
    `?q=${videoId}`,
    '?status=failed&q=holiday',
    `?cursor=${cursor}`,
  ]
  for (const address of [...addresses, `?status=failed&cursor=${cursor}`, `/${videoId}`]) {
    const page = await owner.get(`/app/videos${address}`)
    if (page.status !== 200) throw new Error(`${address}: ${page.text}`)
  }
  await owner.submit('/app/videos', { action: 'delete', videoId })
}

/** Runs every path through the runner, the consumers and the sweep. */
async function runEveryWay(client: Client): Promise<void> {
  const first = await aRunningVideo(client, { webhookUrl })
  await first.attempt.progress(50)
  await first.attempt.fail()
  const second = await start(first)
  await second.attempt.release()
  await start(first)
  advanceSeconds(61)
  await runDurableObjectAlarm(jobRunner(bindings, first.jobId))
  await (await start(first)).attempt.fail({ retryable: false })

  // Files for the sweep to remove: those of a deleted video, and expired ones.
  await client.delete(`/v1/videos/${(await aFinishedVideo(client)).videoId}`)
  await aFinishedVideo(client)

  media.current.takeJob = busy
  const { jobId } = await aVideo(client)
  await queue.current.deliverNext(jobId)
  await deliver({ kind: 'dispatch', jobId, chain: 0 }, 'spool-jobs-dlq')
  advanceSeconds(3600)
  await tick()
  advanceSeconds(31 * 86_400)
  await tick()
}

async function useEveryCommand(client: Client): Promise<void> {
  const { accountId } = client
  await revoke(await aClient({ accountId: await anAccount() }))
  await administer<'accounts.list'>({ command: 'accounts.list' })
  await administer<'keys.list'>({ command: 'keys.list' })
  await administer<'keys.list'>({ command: 'keys.list', accountId })
  await administer<'jobs.list'>({ command: 'jobs.list', status: 'queued' })
  const { jobs } = await administer<'jobs.list'>({ command: 'jobs.list' })
  await administer<'jobs.show'>({ command: 'jobs.show', jobId: jobs[0]?.jobId ?? 'j_none' })
  const list = { command: 'webhooks.list' } as const
  await administer<'webhooks.list'>({ ...list, accountId, status: 'pending' })
  await administer<'webhooks.list'>({ ...list, status: 'pending' })
  await administer<'webhooks.list'>(list)
  const { deliveryId } = await anEvent(client)
  await administer<'webhooks.replay'>({ command: 'webhooks.replay', deliveryId })
  await administer<'webhooks.show-secret'>({ command: 'webhooks.show-secret', accountId })
  await administer<'webhooks.rotate-secret'>({ command: 'webhooks.rotate-secret', accountId })
}

async function planOf(statement: string): Promise<string[]> {
  // A numbered value is bound once, however often it is named.
  const numbers = [...statement.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number))
  const unknowns = numbers.length > 0 ? Math.max(...numbers) : statement.split('?').length - 1
  const explain = bindings.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
  const { results } = await explain
    .bind(...Array<null>(unknowns).fill(null))
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}

/** Steps that scan rows without an index; `CONSTANT ROW` is a SELECT without a table. */
const scans = (plan: string[]) =>
  plan.filter((step) => step.startsWith('SCAN ') && !step.includes('CONSTANT ROW'))

const expectedStatements = [
  /^select .* from "webhook_deliveries" .*"video_id" = \?/,
  /^update "webhook_events" set "body"/,
  /^update "webhook_deliveries" set .*"attempts" = json_insert/,
  /^select .* from "tombstones"/,
  /^update "tombstones"/,
  /^delete from "tombstones"/,
  /^update "videos" set "files_deleted_at"/,
]
const expired =
  /^select "id", coalesce\(videos.files_of.* from "videos" where .*"files_deleted_at" is null/s

describe('every statement of the service', () => {
  it('finds its rows by an index, except for the few that are limited otherwise', async () => {
    const log = recordStatements()
    const client = await aClient()
    await useEveryEndpoint(client)
    await runEveryWay(client)
    await useEveryCommand(client)
    vi.restoreAllMocks()

    const statements = [...new Set(log.texts)]
    expect(statements.length).toBeGreaterThan(30)
    const missing = expectedStatements.filter(
      (expected) => !statements.some((text) => expected.test(text)),
    )
    expect(missing).toEqual([])
    const unbounded: string[] = []
    for (const statement of statements) {
      const found = scans(await planOf(statement)).filter((scan) => !isBounded(statement, scan))
      unbounded.push(...found.map((scan) => `${scan}: ${statement}`))
    }
    expect(unbounded).toEqual([])
  })

  it('finds expired files by the index that has only files not removed yet', async () => {
    const log = recordStatements()
    await tick()
    vi.restoreAllMocks()
    const [statement = ''] = log.texts.filter((text) => expired.test(text))
    const [step, ...others] = await planOf(statement)
    expect(step).toMatch(/^SEARCH videos USING (COVERING )?INDEX videos_files_expiring /)
    expect(scans(others)).toEqual([])
  })

  it("reads the operator's deliveries of one status from an index that has their order", async () => {
    const log = recordStatements()
    const list = { command: 'webhooks.list', status: 'exhausted' } as const
    await administer<'webhooks.list'>(list)
    const { accountId } = await aClient()
    await administer<'webhooks.list'>({ ...list, accountId })
    vi.restoreAllMocks()
    const lists = [...new Set(log.texts)].filter((text) =>
      /from "webhook_deliveries" .*order by/.test(text),
    )
    const plans = await Promise.all(lists.map(async (text) => (await planOf(text)).join('\n')))
    expect(plans).toHaveLength(2)
    expect(plans[0]).toContain('USING INDEX webhook_deliveries_by_status (status=?)')
    expect(plans[1]).toContain(
      'USING INDEX webhook_deliveries_by_account_status (account_id=? AND status=?)',
    )
    expect(plans.join('\n')).not.toContain('TEMP B-TREE')
  })

  it('reads a page from its cursor in the order of an index, without sorting', async () => {
    const log = recordStatements()
    const client = await aClient()
    await client.get('/v1/videos')
    await client.get(`/v1/videos?cursor=${someCursor}`)
    await client.get(`/v1/videos?status=queued&cursor=${someCursor}`)
    vi.restoreAllMocks()
    const pages = [...new Set(log.texts)].filter((text) => text.includes('order by'))
    expect(pages).toHaveLength(3)
    const plans = await Promise.all(pages.map(async (page) => (await planOf(page)).join('\n')))
    expect(plans.join('\n')).not.toContain('TEMP B-TREE')
    expect(plans.filter((plan) => plan.includes('(created_at,id)<(?,?)'))).toHaveLength(2)
  })
})

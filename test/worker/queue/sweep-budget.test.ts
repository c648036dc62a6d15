import { beforeAll, describe, expect, it } from 'vitest'
import { campaignAfter } from '../../support/node/campaign.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import {
  anEvent,
  deliveryRow,
  endpointOf,
  standInReceivers,
} from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { tick } from '../../support/worker/tick.ts'

standInForAll()
const receivers = standInReceivers()

/** Makes this number of rows, counted by `i`. */
async function insertMany(count: number, into: string, values: string): Promise<void> {
  await bindings.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO ${into} SELECT ${values} FROM n`,
  ).run()
}

beforeAll(tick)

describe('the sweep', () => {
  it('brings the lost delivery of one account at once, behind 3,000 of another that hangs', async () => {
    receivers.current.answer = async ({ url }) =>
      url.includes('hanging') ? new Promise(() => undefined) : new Response('ok')
    const hanging = await anEvent(await aClient(), 'https://hanging.example.com/')
    const { eventId, accountId } = await deliveryRow(hanging.deliveryId)
    const long = Date.now() - 3_600_000
    await insertMany(
      3000,
      'webhook_deliveries (id, event_id, account_id, url, status, sweep_after, created_at, round_at, due_at)',
      `'dlv_hang' || i, '${eventId}', '${accountId}', 'https://hanging.example.com/', 'pending', ${long}, ${long}, ${long}, ${long}`,
    )
    const other = await aClient()
    const lost = await anEvent(other)
    await bindings.DB.prepare('UPDATE webhook_deliveries SET sweep_after = ? WHERE id = ?')
      .bind(Date.now(), lost.deliveryId)
      .run()
    await tick()
    await endpointOf(other).settled()
    expect(await deliveryRow(lost.deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  for (const [i, rows] of [60, 3_000].entries()) {
    const title = `takes few statements, with ${rows} due rows in each of its steps`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const { accountId } = await aClient()
      const long = Date.now() - 86_400_000
      const body = `'{"fileUrl":"https://media.example.com/a.mp4"}'`
      await insertMany(
        rows,
        `videos (id, account_id, name, status, request, transcript_status, analysis_status, created_at,
         updated_at, files_expire_at, source, source_expires_at)`,
        `'v_${rows}due' || i, '${accountId}', 'x', 'canceled', ${body}, 'not_requested', 'not_requested', ${long},
       ${long}, ${long}, '{"uploadId":"u_' || i || '"}', ${long}`,
      )
      await insertMany(
        rows,
        'jobs (id, video_id, account_id, sweep_after, created_at)',
        `'j_${rows}due' || i, 'v_${rows}due' || i, '${accountId}', ${long}, ${long}`,
      )
      await insertMany(rows, 'tombstones', `'videos/v_${rows}gone' || i || '/', ${long}, ${long}`)
      await insertMany(
        rows,
        'uploads (id, account_id, status, file_name, content_type, part_bytes, multipart_id, created_at, expires_at)',
        `'u_${rows}due' || i, '${accountId}', 'open', 'x', 'video/mp4', 5, 'none', ${long}, ${long}`,
      )
      // The statements of the jobs' objects count with their own invocations; here each object is one call.
      const log = recordStatements()
      await tick()
      const own = log.texts.filter((text) => !/^select .* inner join "accounts" on/s.test(text))
      expect(own.length).toBeLessThan(40)
    })
  }
})

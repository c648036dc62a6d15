import { describe, expect, it, vi } from 'vitest'
import { sweepBudgets } from '../../../../worker/queue/sweep.ts'
import * as mails from '../../../../worker/service/send-mail.ts'
import { usageRecord } from '../../../../worker/contract/usage.ts'
import { aClient, administer } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../../support/worker/clock.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aFile, upload } from '../../../support/worker/upload-form.ts'
import { aRunningVideo, sourceUrl } from '../../../support/worker/videos.ts'
import { finalText } from '../../../support/worker/attempt.ts'

stopTheClock()
standInForAll()

const trace = {
  phases: [
    { name: 'rendering', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 3000 },
    { name: 'transcribing', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 1000 },
  ],
  commands: [],
  processorMs: 8000,
}

/** At the prices of today, with a result of so few bytes that it costs next to nothing. */
const costOfOne = 8 * 0.00002 + (finalText.length / 1e9) * 0.015

async function spendOnce(client: Client) {
  const { attempt } = await aRunningVideo(client)
  await attempt.finish({ trace })
}

async function setBudget({ accountId }: Client, budget: number | null) {
  await administer<'accounts.change'>({ command: 'accounts.change', accountId, budget })
}

async function usageNow(client: Client) {
  return usageRecord.parse((await client.get('/v1/usage')).json)
}

const refused = { status: 402, json: { error: 'BudgetExceeded' } }

describe('the budget of an account', () => {
  it('is counted in processor time by kind of work, and in results', async () => {
    const client = await aClient()
    await spendOnce(client)
    const { total, days } = await usageNow(client)
    expect(total).toMatchObject({
      processorSeconds: 8,
      work: { measuring: 0, rendering: 6, transcribing: 2, analysing: 0 },
      resultBytes: finalText.length,
    })
    expect(total.price).toBeCloseTo(costOfOne, 12)
    expect(days.at(-1)?.price).toBeCloseTo(costOfOne, 12)
  })

  it('refuses new work with 402 when it is used up, until it is raised or the month ends', async () => {
    const client = await aClient()
    await setBudget(client, costOfOne * 1.5)
    await spendOnce(client)
    expect((await usageNow(client)).now.budget).toMatchObject({ isTight: false })
    await spendOnce(client)
    const asked = { fileUrl: sourceUrl }
    const answer = await client.post('/v1/videos', asked)
    expect(answer).toMatchObject(refused)
    expect(answer.json).toMatchObject({
      message: expect.stringContaining('budget of 0.00024') as string,
    })
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await client.post('/v1/batches', { items: [asked] })).toMatchObject(refused)
    expect(await client.post('/v1/plans', asked)).toMatchObject(refused)
    expect(await upload(client, [aFile()])).toMatchObject(refused)
    await setBudget(client, costOfOne * 3)
    expect(await client.post('/v1/videos', asked)).toMatchObject({ status: 202 })
    await setBudget(client, costOfOne)
    expect(await client.post('/v1/videos', asked)).toMatchObject(refused)
    advanceSeconds(31 * 86_400)
    expect((await usageNow(client)).now.budget).toMatchObject({ used: 0 })
    expect(await client.post('/v1/videos', asked)).toMatchObject({ status: 202 })
  })

  it('answers a request that was repeated as it did before', async () => {
    const client = await aClient()
    const repeated = { 'Idempotency-Key': 'once' }
    const first = await client.post('/v1/videos', { fileUrl: sourceUrl }, repeated)
    await setBudget(client, 0)
    const again = await client.post('/v1/videos', { fileUrl: sourceUrl }, repeated)
    expect(again.json).toEqual(first.json)
  })

  it('has its owners told once at 80 %, once at the end, and again after it was changed', async () => {
    const sendMail = vi.spyOn(mails, 'sendMail').mockResolvedValue(true)
    const client = await aClient()
    const { accountId } = client
    const now = Date.now()
    await bindings.DB.batch([
      bindings.DB.prepare('INSERT INTO people (id, email, created_at) VALUES (?1, ?2, ?3)').bind(
        `p_${accountId}`,
        `${accountId}@example.com`.toLowerCase(),
        now,
      ),
      bindings.DB.prepare(
        "INSERT INTO members (account_id, person_id, role, created_at) VALUES (?1, ?2, 'owner', ?3)",
      ).bind(accountId, `p_${accountId}`, now),
    ])
    const told = async () => {
      sendMail.mockClear()
      await sweepBudgets(bindings, Date.now())
      return sendMail.mock.calls.map(([, { to, subject }]) => [to.split('@')[0], subject])
    }
    const mine = accountId.toLowerCase()
    await setBudget(client, costOfOne * 1.2)
    expect(await told()).toEqual([])
    await spendOnce(client)
    expect((await usageNow(client)).now.budget).toMatchObject({ isTight: true })
    expect(await told()).toEqual([[mine, '80 % of your budget at Spool are used']])
    expect(await told()).toEqual([])
    await spendOnce(client)
    expect(await told()).toEqual([[mine, 'Your budget at Spool is used up']])
    expect(await told()).toEqual([])
    await setBudget(client, costOfOne * 2.2)
    expect(await told()).toEqual([[mine, '80 % of your budget at Spool are used']])
  })
})

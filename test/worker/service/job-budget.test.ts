import { describe, expect, it } from 'vitest'
import { refuseOverBudget } from '../../../worker/service/limits/budget.ts'
import { phases } from '../../../worker/contract/video/video-state.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordCalls, recordStatements } from '../../support/worker/platform/statements.ts'
import { aRunningVideo, aVideo, finalText, start, videoRow } from '../../support/worker/videos.ts'
import { endpointOf, handOut, hooksUrl, standInReceivers } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

/** Everything that D1 runs as a transaction that writes. */
const writes = (call: string) => /^(insert|update|delete)/i.test(call)

describe('a job that succeeds', () => {
  it('costs D1 at most 8 writes and 12 calls, create and webhook included', async () => {
    const client = await aClient()
    // An isolate asks twice a minute which accounts have a budget.
    await refuseOverBudget(bindings, client.accountId, Date.now())
    const calls = recordCalls()
    const created = await aVideo(client, { webhookUrl: hooksUrl })
    const { attempt } = await start(created)
    for (let second = 0; second < 60; second++) {
      advanceSeconds(1)
      await attempt.progress(second, plainPhases[Math.floor(second / 15)])
    }
    await attempt.succeed([await attempt.upload('final', finalText)])
    const [deliveryId = ''] = queue.current.deliveries
    await handOut(deliveryId)
    await endpointOf(client).settled()
    expect(receivers.current.received).toHaveLength(1)
    expect(calls.filter(writes).length).toBeLessThanOrEqual(8)
    expect(calls.length).toBeLessThanOrEqual(12)
    expect(await videoRow(created.videoId)).toMatchObject({ status: 'succeeded', phase: null })
  })

  it('costs no more with a transcript and an analysis, however often it reports them', async () => {
    const client = await aClient()
    const wishes = { enableTranscription: true, enableAiAnalysis: true }
    const { attempt } = await aRunningVideo(client, wishes)
    const log = recordStatements()
    for (let step = 0; step < 100; step++) {
      const insight = { status: 'processing', progress: step }
      await attempt.progress(step, phases[Math.floor(step / 20)], {
        ...(step > 26 && { transcript: insight }),
        ...(step > 85 && { analysis: insight }),
      })
    }
    // Fetching begins with the job.
    expect(log.calls).toBe(phases.length - 1)
  })

  it('writes no more if its worker alternates between phases', async () => {
    const { attempt } = await aRunningVideo()
    const log = recordStatements()
    for (let step = 0; step < 60; step++) {
      await attempt.progress(step, step % 2 === 0 ? 'measuring' : 'rendering')
    }
    expect(log.calls).toBe(2)
  })
})

const plainPhases = ['fetching', 'measuring', 'rendering', 'uploading'] as const

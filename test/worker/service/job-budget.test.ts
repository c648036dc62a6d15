import { describe, expect, it } from 'vitest'
import { phases } from '../../../worker/contract/video-state.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { recordStatements } from '../../support/worker/statements.ts'
import { aRunningVideo, aVideo, finalText, start, videoRow } from '../../support/worker/videos.ts'
import { endpointOf, handOut, hooksUrl, standInReceivers } from '../../support/worker/webhooks.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }
const receivers = standInReceivers({ media })

const isProgress = (text: string) => /^update "videos" set "progress_percent"/.test(text)

describe('a job that succeeds', () => {
  it('costs D1 at most 20 statements, create and webhook included, and 20 for its progress', async () => {
    const client = await aClient()
    const log = recordStatements()
    const created = await aVideo(client, { webhookUrl: hooksUrl })
    const { attempt } = await start(standIns, created)
    for (let step = 0; step < 100; step++) {
      advanceSeconds(5)
      await attempt.progress(step, phases[Math.floor(step / 25)])
    }
    await attempt.succeed([await attempt.upload('final', finalText)])
    const [deliveryId = ''] = queue.current.deliveries
    await handOut(deliveryId)
    await endpointOf(client).settled()
    expect(receivers.current.received).toHaveLength(1)
    const progress = log.texts.filter(isProgress).length
    expect(await videoRow(created.videoId)).toMatchObject({ status: 'succeeded' })
    expect(progress).toBeLessThanOrEqual(20)
    expect(progress).toBeGreaterThanOrEqual(15)
    // The last statement is the test's own check of the row.
    expect(log.texts.length - progress - 1).toBeLessThanOrEqual(20)
  })

  it('costs no more with a transcript and an analysis, however often it reports them', async () => {
    const client = await aClient()
    const log = recordStatements()
    const wishes = { enableTranscription: true, enableAiAnalysis: true }
    const created = await aVideo(client, { ...wishes, webhookUrl: 'https://hooks.example.com/' })
    const { attempt } = await start(standIns, created)
    for (let step = 0; step < 100; step++) {
      const insight = { status: 'processing', progress: step }
      await attempt.progress(step, phases[Math.floor(step / 25)], {
        ...(step > 26 && { transcript: insight }),
        ...(step > 85 && { analysis: insight }),
      })
    }
    await attempt.succeed([await attempt.upload('final', finalText)])
    const [deliveryId = ''] = queue.current.deliveries
    await handOut(deliveryId)
    await endpointOf(client).settled()
    expect(receivers.current.received).toHaveLength(1)
    const progress = log.texts.filter(isProgress).length
    expect(progress).toBeLessThanOrEqual(20)
    expect(log.texts.length - progress).toBeLessThanOrEqual(20)
    expect(await videoRow(created.videoId)).toMatchObject({ status: 'succeeded', phase: null })
  })

  it('shows progress at most 6 % late, and the phase at once', async () => {
    const { videoId, attempt } = await aRunningVideo(standIns, await aClient())
    for (let percent = 0; percent < 99; percent += 2) {
      await attempt.progress(percent)
      const shown = (await videoRow(videoId))?.progressPercent ?? 0
      expect(percent - shown).toBeLessThan(6)
      expect(shown).toBeLessThanOrEqual(percent)
    }
    await attempt.progress(99, 'uploading')
    expect(await videoRow(videoId)).toMatchObject({ phase: 'uploading', progressPercent: 99 })
  })

  it('writes no more if its worker alternates between phases', async () => {
    const { attempt } = await aRunningVideo(standIns, await aClient())
    const log = recordStatements()
    for (let step = 0; step < 60; step++) {
      await attempt.progress(step, step % 2 === 0 ? 'measuring' : 'rendering')
    }
    expect(log.texts.filter(isProgress).length).toBeLessThanOrEqual(20)
  })
})

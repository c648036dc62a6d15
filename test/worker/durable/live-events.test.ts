import { describe, expect, it } from 'vitest'
import { LiveEvents } from '../../../worker/durable/live-events.ts'
import type { RunState } from '../../../worker/durable/job/job-memory.ts'
import { EventReader } from '../../support/worker/event-reader.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { aVideo, videoRow } from '../../support/worker/videos.ts'
import { eventually } from '../../support/node/eventually.ts'

stopTheClock()
standInMediaWorkers()
standInQueue()

const run: RunState = { jobId: 'j_1', videoId: 'v_12345678', fence: 1, attempts: 0 }

async function aFollowed(commentMs: number) {
  const row = await videoRow((await aVideo(await aClient())).videoId)
  const now = { row: row && { ...row, jobId: 'j_1', jobError: null }, state: run }
  const live = new LiveEvents({
    read: async () => now.row,
    state: () => now.state,
    links: () => async () => undefined,
    commentMs,
  })
  const follow = () => new EventReader(new Response(live.follow('j_1', 'a_1')))
  return { live, now, follow }
}

describe('LiveEvents', () => {
  it('sends comments, so that proxies do not close the connection', async () => {
    const { follow, live } = await aFollowed(20)
    const events = follow()
    await events.next()
    expect(await events.block()).toBe(': still here')
    expect(await events.block()).toBe(': still here')
    await events.leave()
    expect(live.followers).toBe(0)
  })

  it('sends nothing if only the time has changed', async () => {
    const { live, now, follow } = await aFollowed(60_000)
    const events = follow()
    await events.next()
    live.tell()
    live.tell()
    if (now.row) now.row = { ...now.row, status: 'failed', updatedAt: Date.now() + 1 }
    now.state = { ...run, endedAt: Date.now() }
    live.tell()
    expect(await events.next()).toMatchObject({ event: 'end' })
  })

  it('skips events for a client that does not read, and finally disconnects it', async () => {
    const { live, now } = await aFollowed(20)
    if (now.row) now.row = { ...now.row, name: 'x'.repeat(70_000) }
    const stream = live.follow('j_1', 'a_1')
    await eventually(() => expect(live.followers).toBe(0))
    const text = await new Response(stream).text()
    expect(text.match(/^event:/gm)).toHaveLength(1)
    expect(text).not.toContain(': still here')
  })

  it('ends the connections if the record cannot be read, so that the clients connect again', async () => {
    const live = new LiveEvents({
      read: async () => {
        throw new Error('D1 is down')
      },
      state: () => undefined,
      links: () => async () => undefined,
    })
    const events = new EventReader(new Response(live.follow('j_1', 'a_1')))
    expect(await events.next()).toBeUndefined()
    expect(live.followers).toBe(0)
  })
})

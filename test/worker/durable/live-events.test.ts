import { describe, expect, it } from 'vitest'
import { LiveEvents } from '../../../worker/durable/live-events.ts'
import type { ShownPlace } from '../../../worker/service/videos/describe-video.ts'
import type { RunState } from '../../../worker/durable/job/job-memory.ts'
import { EventReader } from '../../support/worker/clients/event-reader.ts'
import { aVideo, videoRow } from '../../support/worker/videos.ts'
import { eventually } from '../../support/node/eventually.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const run: RunState = { jobId: 'j_1', videoId: 'v_12345678', fence: 1, attempts: 0 }

const running: NonNullable<RunState['running']> = {
  ...{ fence: 1, attempt: 1, worker: 'w', leaseUntil: 0, lastSequence: 1, saves: 0 },
  ...{ phase: 'rendering', percent: 5, savedPercent: 5, insights: {}, shownAt: 0 },
  ...{ uploads: {}, phases: [], film: { accountId: 'a_1', maxRunning: null, uploadId: undefined } },
}

async function aFollowed(commentMs: number) {
  const row = await videoRow((await aVideo()).videoId)
  const now = {
    row: row && { ...row, jobId: 'j_1', jobError: null, startedAt: 0 },
    state: run,
    isDown: false,
    place: undefined as ShownPlace | undefined,
    reads: 0,
  }
  const live = new LiveEvents({
    read: async () => {
      now.reads++
      if (now.isDown) throw new Error('D1 is down')
      return now.row
    },
    state: () => now.state,
    links: () => async () => undefined,
    place: async () => now.place,
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

  it('tells the time that is left again if the end has moved, and not each time that a second has passed', async () => {
    const { live, now, follow } = await aFollowed(60_000)
    if (now.row) now.row = { ...now.row, status: 'running', phase: 'rendering' }
    const tell = (seconds: number) => {
      const left = { seconds, least: seconds, most: seconds, at: Date.now() }
      now.state = { ...run, running: { ...running, left } }
      live.tell()
    }
    tell(100)
    const events = follow()
    expect(await events.next()).toMatchObject({ data: { secondsLeft: 100 } })
    tell(104)
    // It is sent the record as it is, once everything before it is done.
    expect(await follow().next()).toMatchObject({ data: { secondsLeft: 104 } })
    tell(150)
    expect(await events.next()).toMatchObject({ data: { secondsLeft: 150 } })
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

  it('keeps those who follow while the row cannot be read again, and tells them the end after that', async () => {
    const { live, now, follow } = await aFollowed(20)
    if (now.row) now.row = { ...now.row, status: 'running', phase: 'rendering' }
    now.state = { ...run, running }
    const events = follow()
    await events.next()
    now.isDown = true
    live.readAgain()
    const newcomer = follow()
    expect(await newcomer.next()).toBeUndefined()
    expect(live.followers).toBe(1)
    if (now.row) now.row = { ...now.row, status: 'failed' }
    now.isDown = false
    // Nobody tells it anything more.
    expect(await events.next()).toMatchObject({ event: 'end' })
  })

  it('reads the row of a video that waits again once it has no place in line', async () => {
    const { live, now, follow } = await aFollowed(20)
    now.place = { position: 1, startsAt: undefined, left: undefined }
    const events = follow()
    expect(await events.next()).toMatchObject({ data: { queuePosition: 1 } })
    live.readAgain()
    expect(await events.block()).toBe(': still here')
    expect(await events.block()).toBe(': still here')
    expect(now.reads).toBe(2)
    if (now.row) now.row = { ...now.row, status: 'canceled' }
    now.place = undefined
    expect(await events.next()).toMatchObject({ event: 'progress' })
    expect(await events.next()).toMatchObject({ event: 'end', data: { status: 'canceled' } })
  })
})

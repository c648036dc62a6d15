import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { hearSpec } from '../../../../worker/contract/job/hear-spec.ts'
import { partsOfARound } from '../../../../worker/contract/job/part-job.ts'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { aClient, administer } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { forgetSlots, settleSlots, slots } from '../../../support/worker/dispatcher.ts'
import { aPartSpec, FilmLead, PartHand, partKeys, partText } from '../../../support/worker/film.ts'
import { busy, healthAnswer, taken } from '../../../support/worker/media-workers.ts'
import { aRunningVideo, aVideo, videoRow, type Started } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

type Film = Started & { lead: FilmLead; client: Client }

/** A film that is led by a media worker, while the others have these slots idle. */
async function aFilm(client?: Client, idle = 8): Promise<Film> {
  const owner = client ?? (await aClient())
  const started = await aRunningVideo(owner)
  media.current.answerHealth = () => healthAnswer({ slots: idle / 2, running: 0 })
  return { ...started, client: owner, lead: new FilmLead(started.attempt.job) }
}

function hand(n: number, number = 1): PartHand {
  const found = media.current.partOffers.find(({ part }) => part.n === n && part.try === number)
  if (!found) throw new Error(`part ${n} was offered to nobody`)
  return new PartHand(found.part)
}

const first = { n: 0, try: 1 }

async function settled({ jobId }: { jobId: string }): Promise<void> {
  // What the object does beside its answers is over when it is evicted.
  await runInDurableObject(jobRunner(bindings, jobId), async () => scheduler.wait(1))
  await settleSlots()
}

describe('a film that is rendered in parts', () => {
  it('has a part rendered by another media worker, and the lead is told of it and where it is', async () => {
    const { lead, jobId, attempt } = await aFilm()
    expect(await lead.idle()).toBe(4)
    expect(await lead.give(0)).toBe(true)
    const { part } = hand(0)
    expect(part).toMatchObject({ kind: 'part', jobId, fence: attempt.job.fence, n: 0, try: 1 })
    expect(part.reports.key).not.toBe(attempt.job.reports.key)
    expect((await hand(0).progress(4)).json).toEqual({ action: 'carry-on' })
    expect(await lead.states(first)).toEqual([
      { ...first, state: 'running', pictures: 4, bytes: 40 },
    ])
    expect((await hand(0).finish()).json).toEqual({ action: 'stop' })
    const [told] = await lead.states(first)
    expect(told).toMatchObject({ state: 'stored', result: { sizeBytes: partText.length } })
    expect(await partKeys()).toEqual([`parts/${jobId}/${part.fence}/0-1`])
    await attempt.finish()
  })

  it('passes on files of the lead once, and the uploaded source without sending it again', async () => {
    const { lead, attempt } = await aFilm()
    await lead.store('in1', 'a logo')
    await lead.give(0, 1, [{ name: 'in1', from: 'stored' }])
    const [file] = hand(0).part.files
    expect(new URL(file?.url ?? '').pathname).toMatch(/\/parts\/j_\w+\/\d+\/in1$/)
    await attempt.finish()
  })

  it('shows its parts in the record of the job, while it runs and afterwards', async () => {
    const { lead, jobId, attempt, client } = await aFilm()
    await lead.give(0)
    await hand(0).fail()
    await lead.give(0, 2)
    await hand(0, 2).progress(3)
    advanceSeconds(2)
    const shown = async () => {
      const { attempts } = (await client.get(`/v1/jobs/${jobId}`)).json as {
        attempts: { parts: unknown[] }[]
      }
      return attempts[0]?.parts
    }
    expect(await shown()).toEqual([
      { n: 0, state: 'running', tries: 2, pictures: 3, durationMs: 2000 },
    ])
    await hand(0, 2).finish()
    const stored = [{ n: 0, state: 'stored', tries: 2, pictures: 10, durationMs: 2000 }]
    expect(await shown()).toEqual(stored)
    await attempt.finish()
    expect(await shown()).toEqual(stored)
  })

  it('shows only those of the film as it was last begun', async () => {
    const { lead, jobId, attempt, client } = await aFilm()
    await lead.give(0)
    await lead.give(1)
    await hand(0).finish()
    await lead.give(partsOfARound + 1)
    const { attempts } = (await client.get(`/v1/jobs/${jobId}`)).json as {
      attempts: { parts: unknown[] }[]
    }
    expect(attempts[0]?.parts).toMatchObject([{ n: 1, state: 'running', tries: 1 }])
    await attempt.finish()
  })

  it('passes on speech that is to be heard, and shows it as no part of the film', async () => {
    const { lead, jobId, attempt, client } = await aFilm()
    await lead.store('hear-0.f32', 'samples')
    const spec = hearSpec.parse({
      ...{ kind: 'hear', version: 1, files: [{ name: 'hear-0.f32' }], from: 0, length: 9_000 },
      ...{ pieces: [{ start: -100, end: 8_000 }], model: 'a'.repeat(64), language: 'en' },
    })
    const files = [{ name: 'hear-0.f32', from: 'stored' }] as const
    await lead.ask({ ask: 'give', n: 0, try: 1, spec, files: [...files] })
    expect(hand(0).part.spec).toEqual(spec)
    await hand(0).finish()
    expect(await lead.states({ n: 0, try: 1 })).toMatchObject([{ state: 'stored' }])
    const job = (await client.get(`/v1/jobs/${jobId}`)).json as {
      attempts: { parts?: unknown[] }[]
    }
    expect(job.attempts[0]?.parts ?? []).toEqual([])
    await attempt.finish()
  })

  it('leaves nothing of its parts in the bucket, its object or the slots once it has ended', async () => {
    const film = await aFilm()
    const { lead, attempt, jobId } = film
    await lead.store('in1', 'a logo')
    await lead.give(0)
    await lead.give(1)
    await hand(0).finish()
    const granted = await hand(1).askForUpload()
    await attempt.finish()
    await settled(film)
    expect(await partKeys()).toEqual([])
    expect(media.current.cancels).toMatchObject([{ jobId, part: { n: 1, try: 1 } }])
    await expect(hand(1).write(granted)).rejects.toThrow()
    expect((await hand(1).progress(5)).json).toEqual({ action: 'stop' })
    expect(await slots().lent()).toBe(0)
    const kept = await runInDurableObject(jobRunner(bindings, jobId), (_, { storage }) =>
      [...storage.kv.list()].map(([key]) => key),
    )
    expect(kept).toEqual(['run'])
  })

  it('stops all parts at once when it is canceled', async () => {
    const film = await aFilm()
    const { lead, client, videoId } = film
    await lead.give(0)
    await lead.give(1)
    await client.post(`/v1/videos/${videoId}/cancel`)
    await settled(film)
    const told = media.current.cancels.map(({ part }) => part?.n)
    expect(told.filter((n) => n !== undefined).sort()).toEqual([0, 1])
    expect((await hand(0).finish()).status).toBe(409)
    expect((await lead.ask({ ask: 'idle' })).status).toBe(409)
    expect(
      (await lead.ask({ ask: 'give', n: 2, try: 1, spec: aPartSpec(2), files: [] })).status,
    ).toBe(409)
    expect(await partKeys()).toEqual([])
    expect(await slots().lent()).toBe(0)
  })

  it('begins again from nothing when its lead is lost', async () => {
    const film = await aFilm()
    const { lead, jobId } = film
    await lead.give(0)
    await hand(0).finish()
    advanceSeconds(61)
    await jobRunner(bindings, jobId).checkUp(jobId)
    await settled(film)
    expect(await partKeys()).toEqual([])
    await queue.current.deliverNext(jobId)
    await settleSlots()
    const next = new FilmLead(media.current.lastJob(jobId))
    expect(await next.states(first)).toMatchObject([{ state: 'failed' }])
    expect(await next.give(0)).toBe(true)
    expect((await lead.ask({ ask: 'idle' })).status).toBe(409)
  })
})

describe('windows of a sound that were heard', () => {
  const [name, other] = ['a'.repeat(64), 'b'.repeat(64)]
  const window = { name, text: 'what is said' }
  const kept = async (lead: FilmLead) =>
    (await lead.ask({ ask: 'kept', names: [name, other] })).json
  const windowsIn = async (jobId: string) =>
    runInDurableObject(jobRunner(bindings, jobId), (_, { storage }) =>
      [...storage.kv.list()].flatMap(([key]) => (key.startsWith('window/') ? [key] : [])),
    )

  it('are found by the next attempt, and no attempt that was lost adds to them', async () => {
    const film = await aFilm()
    const { lead, jobId } = film
    await lead.ask({ ask: 'keep', ...window })
    advanceSeconds(61)
    await jobRunner(bindings, jobId).checkUp(jobId)
    await settled(film)
    expect((await lead.ask({ ask: 'keep', name: other, text: 'late' })).status).toBe(409)
    await queue.current.deliverNext(jobId)
    await settleSlots()
    const next = new FilmLead(media.current.lastJob(jobId))
    expect(await kept(next)).toEqual({ windows: [window] })
    expect((await lead.ask({ ask: 'kept', names: [name] })).status).toBe(409)
  })

  it.each(['succeeds', 'is canceled'])('go when the job %s', async (how) => {
    const { lead, jobId, attempt, client, videoId } = await aFilm()
    await lead.ask({ ask: 'keep', ...window })
    expect(await windowsIn(jobId)).toHaveLength(1)
    if (how === 'succeeds') await attempt.finish()
    else await client.post(`/v1/videos/${videoId}/cancel`)
    expect(await windowsIn(jobId)).toEqual([])
  })
})

describe('a part', () => {
  it('is lost when its media worker falls silent for a lease, and does not come back', async () => {
    const film = await aFilm()
    const { lead } = film
    await lead.give(0)
    advanceSeconds(59)
    await film.attempt.progress(10)
    expect(await lead.states(first)).toMatchObject([{ state: 'running' }])
    advanceSeconds(2)
    expect(await lead.states(first)).toMatchObject([{ state: 'failed' }])
    await settled(film)
    expect(media.current.cancels).toMatchObject([{ part: first }])
    expect((await hand(0).finish()).status).toBe(409)
    expect(await lead.give(0, 2)).toBe(true)
    await hand(0, 2).finish()
    expect(await lead.states({ n: 0, try: 2 })).toMatchObject([{ state: 'stored' }])
  })

  it('is given once however often the lead asks, and ends once however often it is reported', async () => {
    const { lead } = await aFilm()
    expect(await Promise.all([lead.give(0), lead.give(0)])).toEqual([true, true])
    expect(await lead.give(0)).toBe(true)
    expect(media.current.partOffers).toHaveLength(1)
    const granted = [await hand(0).askForUpload(), await hand(0).askForUpload()]
    expect(granted[1]?.json).toEqual(granted[0]?.json)
    const [answer] = granted
    if (!answer) throw new Error('no grant')
    const parts = await hand(0).write(answer)
    expect((await hand(0).done(parts)).json).toEqual({ action: 'stop' })
    expect((await hand(0).done(parts)).json).toEqual({ action: 'stop' })
    expect((await hand(0).fail()).json).toEqual({ action: 'stop' })
    expect(await lead.states(first)).toMatchObject([{ state: 'stored' }])
    await lead.ask({ ask: 'stop', parts: [first] })
    expect(await lead.states(first)).toMatchObject([{ state: 'stored' }])
  })

  it('fails if its result is not what was announced', async () => {
    const { lead } = await aFilm()
    await lead.give(0)
    const parts = await hand(0).write(await hand(0).askForUpload())
    await hand(0).done(parts, 3)
    expect(await lead.states(first)).toMatchObject([{ state: 'failed' }])
  })

  it('is stopped when the lead does not need it any more', async () => {
    const film = await aFilm()
    const { lead } = film
    await lead.give(0)
    await lead.ask({ ask: 'stop', parts: [first] })
    await settled(film)
    expect(media.current.cancels).toMatchObject([{ part: first }])
    expect((await hand(0).progress(3)).json).toEqual({ action: 'stop' })
    expect(await slots().lent()).toBe(0)
  })

  it('is told to stop if its media worker took it while the film was canceled', async () => {
    const film = await aFilm()
    const { lead, client, videoId } = film
    let canceled: Promise<unknown> = Promise.resolve()
    media.current.takePart = () => {
      canceled = client.post(`/v1/videos/${videoId}/cancel`)
      return taken()
    }
    await lead.ask({ ask: 'give', n: 0, try: 1, spec: aPartSpec(0), files: [] })
    await canceled
    await settled(film)
    expect(media.current.cancels.some(({ part }) => part?.n === 0)).toBe(true)
    expect(await slots().lent()).toBe(0)
  })

  it('goes on when the object of its job was restarted', async () => {
    const { lead, jobId } = await aFilm()
    await lead.give(0)
    await evictDurableObject(jobRunner(bindings, jobId))
    expect((await hand(0).progress(7)).json).toEqual({ action: 'carry-on' })
    await hand(0).finish()
    expect(await lead.states(first)).toMatchObject([{ state: 'stored' }])
  })

  it('goes back to the lead when its media worker is shut down', async () => {
    const { lead } = await aFilm()
    await lead.give(0)
    expect((await hand(0).release()).json).toEqual({ action: 'stop' })
    expect(await lead.states(first)).toMatchObject([{ state: 'failed' }])
  })

  it('cannot speak for the job or for another part', async () => {
    const { lead } = await aFilm()
    await lead.give(0)
    await lead.give(1)
    const { part } = hand(0)
    const asLead = new FilmLead({
      fence: part.fence,
      reports: { ...part.reports, url: part.reports.url.replace(/parts\/.*/, 'reports') },
    })
    expect((await asLead.ask({ ask: 'idle' })).status).toBe(401)
    const other = new PartHand({
      ...hand(1).part,
      reports: { ...hand(1).part.reports, key: part.reports.key },
    })
    expect((await other.progress(1)).status).toBe(401)
  })
})

describe('slots for parts', () => {
  it('are lent only while nobody waits, and the next one that falls free goes to the job that waits', async () => {
    const film = await aFilm()
    const { lead } = film
    await lead.give(0)
    media.current.takeJob = busy
    media.current.answerHealth = () => healthAnswer({ running: 1 })
    const other = await aVideo()
    await queue.current.deliverNext(other.jobId)
    await settleSlots()
    expect((await videoRow(other.videoId))?.status).toBe('queued')
    expect(await lead.idle()).toBe(0)
    expect(await lead.give(1)).toBe(false)
    expect(media.current.partOffers).toHaveLength(1)
    media.current.takeJob = taken
    await hand(0).finish()
    await settled(film)
    expect((await videoRow(other.videoId))?.status).toBe('running')
  })

  it('are at most half of all for one film, and as many as the operator lets an account have', async () => {
    const { lead } = await aFilm(undefined, 8)
    const given = []
    for (let n = 0; n < 6; n++) given.push(await lead.give(n))
    expect(given).toEqual([true, true, true, true, false, false])
    const other = await aFilm(await aClient(), 80)
    advanceSeconds(2)
    const more = []
    for (let n = 0; n < 32; n++) more.push(await other.lead.give(n))
    expect(more.filter(Boolean)).toHaveLength(29)
    const few = await aClient()
    const { accountId } = few
    await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: 2 })
    const capped = await aFilm(few, 40)
    expect(await capped.lead.idle()).toBe(1)
    expect(await capped.lead.give(0)).toBe(true)
    await forgetSlots()
    expect(await capped.lead.give(1)).toBe(false)
    expect(await slots().lent()).toBe(1)
  })

  it('are none if no media worker has one, or the one that has one is older and knows no parts', async () => {
    const { lead } = await aFilm()
    media.current.takePart = () => new Response('{}', { status: 400 })
    expect(await lead.give(0)).toBe(false)
    media.current.takePart = busy
    expect(await lead.give(0, 2)).toBe(false)
    expect(await lead.states(first)).toMatchObject([{ state: 'failed' }])
    expect(await slots().lent()).toBe(0)
  })

  it('are known to a dispatcher that was restarted, and are over if nobody tells of them', async () => {
    const film = await aFilm()
    await film.lead.give(0)
    await evictDurableObject(slots())
    expect(await slots().lent()).toBe(1)
    advanceSeconds(31)
    await hand(0).progress(1)
    await film.attempt.progress(10)
    await film.lead.states(first)
    await settled(film)
    expect(await slots().lent()).toBe(1)
    advanceSeconds(91)
    expect(await slots().lent()).toBe(0)
  })
})

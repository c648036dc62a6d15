import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../../worker/contract/limits.ts'
import { videoPage } from '../../../../worker/contract/video/list-videos.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { aFinishedVideo, aRunningVideo, aVideo } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { campaign } from '../../../support/node/campaign.ts'

standInForAll()

async function page(client: Client, query: Record<string, string> = {}) {
  const answer = await client.get(`/v1/videos?${new URLSearchParams(query).toString()}`)
  expect(answer.status).toBe(200)
  const { data, nextCursor } = videoPage.parse(answer.json)
  return { ids: data.map(({ videoId }) => videoId), data, nextCursor }
}

/** The ids of all pages, one after the other. */
async function walk(client: Client, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const found = await page(client, { ...query, ...(cursor === null ? {} : { cursor }) })
    ids.push(...found.ids)
    cursor = found.nextCursor
  } while (cursor !== null)
  return ids
}

async function videos(client: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    // Pairs of videos have the same timestamp, because the order must hold within one millisecond.
    if (i % 2 === 0) advanceSeconds(1)
    ids.push((await aVideo(client)).videoId)
  }
  return ids
}

/** The video is finished, so that its whole half megabyte is shown. */
async function largeVideos(client: Client, count: number): Promise<string[]> {
  const segments = Array.from({ length: 200 }, (_, i) => ({
    startTime: i + 0.001,
    endTime: i + 0.999,
  }))
  const files = Array.from({ length: 50 }, (_, i) => ({
    url: `https://media.example.com/${i}.mp4?`.padEnd(2000, 'x'),
    removeSegments: segments,
  }))
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    advanceSeconds(1)
    const { videoId } = await aVideo(client, { fileUrl: undefined, files, combine: true })
    await client.post(`/v1/videos/${videoId}/cancel`)
    ids.push(videoId)
  }
  return ids
}

describe('listVideos', () => {
  it('shows the account its own videos, newest first, each as GET shows it', async () => {
    const client = await aClient()
    const finished = await aFinishedVideo(client)
    advanceSeconds(1)
    const queued = await aVideo(client)
    await aVideo()
    const { ids, data, nextCursor } = await page(client)
    expect(ids).toEqual([queued.videoId, finished.videoId])
    expect(nextCursor).toBeNull()
    for (const record of data) {
      expect(record).toEqual(await client.record(record.videoId))
    }
  })

  it('gives 25 unless asked for more, and says where the next page begins', async () => {
    const client = await aClient()
    const all = await videos(client, 26)
    const first = await page(client)
    expect(first.ids).toHaveLength(25)
    expect(first.nextCursor).not.toBeNull()
    const second = await page(client, { cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ nextCursor: null })
    expect(new Set([...first.ids, ...second.ids])).toEqual(new Set(all))
  })

  it('has no next page when the last video ends this one', async () => {
    const client = await aClient()
    await videos(client, 4)
    expect(await page(client, { limit: '4' })).toMatchObject({ nextCursor: null })
    expect((await page(client, { limit: '3' })).nextCursor).not.toBeNull()
  })

  it('visits every video once, whatever the page size', async () => {
    const client = await aClient()
    const all = await videos(client, 9)
    for (const limit of ['1', '2', '3', '100']) {
      const walked = await walk(client, { limit })
      expect(walked).toHaveLength(9)
      expect(new Set(walked)).toEqual(new Set(all))
    }
  })

  campaign(
    'ends a page once its JSON has reached 1 MiB, and continues after its last video',
    async () => {
      const client = await aClient()
      const large = await largeVideos(client, 6)
      const answer = await client.get('/v1/videos?limit=100')
      const { data, nextCursor } = videoPage.parse(answer.json)
      const size = (count: number) => JSON.stringify(data.slice(0, count)).length
      expect(size(data.length)).toBeGreaterThanOrEqual(limits.listPageBytes)
      expect(size(data.length - 1)).toBeLessThan(limits.listPageBytes)
      const { ids } = await page(client, { limit: '100', cursor: String(nextCursor) })
      expect([...data.map(({ videoId }) => videoId), ...ids]).toEqual(large.reverse())
    },
  )

  campaign('has no next page when the last video fills this one', async () => {
    const client = await aClient()
    const large = await largeVideos(client, 6)
    const whole = await page(client, { limit: '6' })
    const fills = whole.ids.length
    expect(fills).toBeLessThan(6)
    for (const videoId of large.slice(0, 6 - fills)) await client.delete(`/v1/videos/${videoId}`)
    expect(await page(client)).toMatchObject({ ids: whole.ids, nextCursor: null })
  })

  it('holds only a few rows at a time, unless the first ones are small', async () => {
    const client = await aClient()
    const rowsRead = async () => {
      const read = vi.spyOn(prototypeOf(bindings.DB.prepare('SELECT 1')), 'raw')
      const { ids } = await page(client, { limit: '100' })
      const results = read.mock.results.map(
        async ({ value }) => ((await value) as unknown[]).length,
      )
      read.mockRestore()
      return { shown: ids.length, read: await Promise.all(results) }
    }
    await videos(client, 30)
    expect(await rowsRead()).toEqual({ shown: 30, read: [5, 25] })
    await largeVideos(client, 1)
    const { shown, read } = await rowsRead()
    expect(shown).toBe(31)
    expect(Math.max(...read.slice(0, 2))).toBeLessThan(20)
  })

  it('keeps its place while videos are created and deleted', async () => {
    const client = await aClient()
    const old = []
    for (let i = 0; i < 4; i++) {
      advanceSeconds(1)
      old.unshift((await aFinishedVideo(client)).videoId)
    }
    const first = await page(client, { limit: '2' })
    expect(first.ids).toEqual(old.slice(0, 2))
    advanceSeconds(1)
    await aVideo(client)
    // The video that the cursor points to, and one that is still to come.
    await client.delete(`/v1/videos/${old[1]}`)
    await client.delete(`/v1/videos/${old[2]}`)
    const second = await page(client, { limit: '2', cursor: first.nextCursor ?? '' })
    expect(second.ids).toEqual([old[3]])
    expect(second.nextCursor).toBeNull()
  })

  it('filters by status, also across pages', async () => {
    const client = await aClient()
    const running = await aRunningVideo(client)
    const queued = await videos(client, 3)
    expect((await page(client, { status: 'running' })).ids).toEqual([running.videoId])
    expect((await page(client, { status: 'failed' })).ids).toEqual([])
    const walked = await walk(client, { status: 'queued', limit: '2' })
    expect(new Set(walked)).toEqual(new Set(queued))
    expect(walked).toHaveLength(3)
  })

  it('refuses a cursor that it did not make', async () => {
    const client = await aClient()
    const faultOf = async (query: string) => {
      const answer = await client.get(`/v1/videos?${query}`)
      expect(answer).toMatchObject({ status: 400, json: { error: 'ValidationError' } })
      const details = answer.json['details'] as { field: string }[]
      return details.map(({ field }) => field)
    }
    expect(await faultOf('cursor=%00')).toEqual(['cursor'])
    expect(await faultOf(`cursor=${btoa('1.v_short')}`)).toEqual(['cursor'])
    expect(await faultOf(`cursor=${btoa("1.v_12345678' OR 1=1")}`)).toEqual(['cursor'])
  })
})

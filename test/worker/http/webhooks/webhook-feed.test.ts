import { beforeEach, describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { aFinishedVideo, aVideo, eventRows } from '../../../support/worker/videos.ts'
import { hooksUrl } from '../../../support/worker/webhooks.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()
const path = '/v1/webhooks/events'

type Page = {
  data: { webhookId: string; type: string; videoId: string; timestamp: string; body: string }[]
  nextCursor: string
}

let client: Client
beforeEach(async () => {
  client = await aClient()
})

async function read(query: string): Promise<Page> {
  const { status, json } = await client.get(`${path}${query}`)
  expect(status).toBe(200)
  return json as Page
}

async function cancel(): Promise<string> {
  const { videoId } = await aVideo(client)
  await client.post(`/v1/videos/${videoId}/cancel`)
  return videoId
}

describe('GET /v1/webhooks/events', () => {
  it('has what ended after the cursor, in the order of the ends, also within one millisecond', async () => {
    await cancel()
    advanceSeconds(1)
    const { data: none, nextCursor } = await read('')
    expect(none).toEqual([])
    const ids = [await cancel(), await cancel(), await cancel()]
    const first = await read(`?cursor=${nextCursor}&limit=2`)
    expect(first.data.map(({ videoId }) => videoId)).toEqual(ids.slice(0, 2))
    const second = await read(`?cursor=${first.nextCursor}`)
    expect(second.data.map(({ videoId }) => videoId)).toEqual(ids.slice(2))
    expect((await read(`?cursor=${second.nextCursor}`)).data).toEqual([])
  })

  it('has the body that webhooks were sent, byte for byte', async () => {
    const since = new Date(Date.now() - 1).toISOString()
    const { videoId } = await aFinishedVideo(client, { webhookUrl: hooksUrl })
    const [sent] = await eventRows(videoId)
    expect((await read(`?since=${since}`)).data).toEqual([
      {
        webhookId: sent?.id,
        type: 'video.succeeded',
        videoId,
        timestamp: new Date(sent?.createdAt ?? 0).toISOString(),
        body: sent?.body,
      },
    ])
  })

  it('has the same body at every read where nobody was told', async () => {
    const since = new Date(Date.now() - 1).toISOString()
    const { videoId } = await aFinishedVideo(client)
    const [event] = (await read(`?since=${since}`)).data
    advanceSeconds(3600)
    const [later] = (await read(`?since=${since}`)).data
    expect(later).toEqual(event)
    const { json: record } = await client.get(`/v1/videos/${videoId}`)
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'video.succeeded',
      timestamp: event?.timestamp,
      data: { videoId, videoMetadata: record['videoMetadata'] },
    })
  })

  it('ends once its JSON has reached 1 MiB, and continues after its last event', async () => {
    const since = new Date(Date.now() - 1).toISOString()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await cancel())
    await bindings.DB.prepare(
      `UPDATE videos SET request = json_set(request, '$.metadata.note', ?1) WHERE id <> ?2`,
    )
      .bind('x'.repeat(400_000), ids[0])
      .run()
    const shown: number[] = []
    const seen: string[] = []
    for (let query = `since=${since}`; shown.at(-1) !== 0;) {
      const { data, nextCursor } = await read(`?${query}&limit=100`)
      shown.push(data.length)
      seen.push(...data.map(({ videoId }) => videoId))
      query = `cursor=${nextCursor}`
    }
    expect(shown).toEqual([4, 3, 0])
    expect(seen).toEqual(ids)
  })

  it('has nothing of other accounts, and refuses the cursors of other lists', async () => {
    const since = new Date(Date.now() - 1).toISOString()
    await cancel()
    const other = await aClient()
    expect((await other.get(`${path}?since=${since}`)).json).toMatchObject({ data: [] })
    const { status, json } = await client.get(`${path}?cursor=${btoa('1.v_12345678')}&since=today`)
    expect(status).toBe(400)
    expect(json).toMatchObject({ details: [{ field: 'cursor' }, { field: 'since' }] })
  })
})

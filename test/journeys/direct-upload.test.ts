import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { ended, jsonOf, untilStatus, type Json } from '../support/node/api.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

let service: RunningService

beforeAll(async () => {
  service = await sharedService()
})

type Opened = { uploadId: string; partSize: number; parts: { partNumber: number; url: string }[] }

it(
  'a file sent in three parts, out of order and one of them twice, becomes a video',
  { tags: 'campaign' },
  async () => {
    const bytes = await aLargeClip()
    const announced = {
      fileName: 'My talk.mp4',
      sizeInBytes: bytes.length,
      contentType: 'video/mp4',
    }
    const { uploadId, partSize, parts } = (await jsonOf(
      await service.request('/v1/uploads', { json: announced }),
    )) as Opened
    expect(parts).toHaveLength(3)
    const put = async (number: number) =>
      fetch(parts[number - 1]?.url ?? '', {
        method: 'PUT',
        body: bytes.slice((number - 1) * partSize, number * partSize),
      })
    const sent = [await put(3), ...(await Promise.all([put(1), put(2)])), await put(1)]
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])

    const complete = await service.request(`/v1/uploads/${uploadId}/complete`, { method: 'POST' })
    expect(await jsonOf(complete)).toMatchObject({ uploadId, status: 'ready' })
    const created = await jsonOf(await service.request('/v1/videos', { json: { uploadId } }))
    const record: Json = await untilStatus(service, String(created['videoId']), ended)
    expect(record).toMatchObject({
      status: 'succeeded',
      videoName: 'My talk',
      uploadId,
      videoMetadata: { width: 160, height: 120 },
    })
    const again = await service.request('/v1/videos', { json: { uploadId } })
    expect(again.status).toBe(409)
  },
)

it('a client that holds back its body until it is answered gets its answer', async () => {
  const headers = { Authorization: 'Bearer nobody', 'Content-Length': 100 }
  const asked = request(new URL('/v1/videos', service.dev.baseUrl), { method: 'POST', headers })
  asked.flushHeaders()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(401)
  asked.destroy()
})

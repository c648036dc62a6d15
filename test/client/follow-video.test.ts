import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ApiError, VideoFailedError } from '../../client/src/errors.ts'
import { Uploads } from '../../client/src/resources/uploads.ts'
import { Videos } from '../../client/src/resources/videos.ts'
import { AnsweringServer, answerJson, type Asked } from './support/answering-server.ts'
import { transportTo } from './support/transport-to.ts'

let server: AnsweringServer

const record = (status: string, progressPercent: number) => ({
  videoId: 'v_1',
  status,
  progressPercent,
})

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write('retry: 2000\n\n')
}

function sendEvent(response: ServerResponse, type: string, data: unknown): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
}

type Answers = { events: ((response: ServerResponse) => void)[]; records: unknown[] }

/** Each stream and each record in its turn; the last record again and again. */
async function follow({ events, records }: Answers) {
  server = await AnsweringServer.start(({ url }: Asked, response) => {
    if (!url.endsWith('/events')) {
      return answerJson(response, 200, records.length > 1 ? records.shift() : records[0])
    }
    const answer = events.shift()
    if (answer) answer(response)
    else response.destroy()
  })
  const { transport, pauses } = transportTo(server.origin)
  return { videos: new Videos(transport, new Uploads(transport)), pauses }
}

const urls = () => server.asked.map(({ url }) => url)

describe('wait', () => {
  it('follows one stream of events to the end', async () => {
    const end = { ...record('succeeded', 100), finalVideoUrl: 'https://example.com/v.mp4' }
    const { videos } = await follow({
      events: [
        (response) => {
          openStream(response)
          response.write(': still here\n\n')
          sendEvent(response, 'progress', record('running', 10))
          sendEvent(response, 'progress', record('running', 60))
          sendEvent(response, 'end', end)
          response.end()
        },
      ],
      records: [],
    })
    const seen: number[] = []
    const onProgress = ({ progressPercent }: { progressPercent: number }) =>
      seen.push(progressPercent)
    expect(await videos.wait('v_1', { onProgress })).toEqual(end)
    expect(seen).toEqual([10, 60, 100])
    expect(urls()).toEqual(['/v1/videos/v_1/events'])
  })

  it('opens the stream again when it breaks, and says nothing twice', async () => {
    const { videos, pauses } = await follow({
      events: [
        (response) => {
          openStream(response)
          sendEvent(response, 'progress', record('running', 10))
          sendEvent(response, 'progress', record('running', 20))
          response.write('event: progress\ndata: {"vid', () => response.destroy())
        },
        (response) => {
          openStream(response)
          sendEvent(response, 'progress', record('running', 20))
          sendEvent(response, 'end', record('succeeded', 100))
          response.end()
        },
      ],
      records: [],
    })
    const seen: number[] = []
    for await (const video of videos.watch('v_1')) seen.push(video.progressPercent)
    expect(seen).toEqual([10, 20, 100])
    expect(pauses).toEqual([2000])
  })

  it('asks for the record where streams do not get through', async () => {
    const { videos } = await follow({
      events: [],
      records: [
        record('queued', 0),
        record('running', 50),
        record('running', 50),
        record('succeeded', 100),
      ],
    })
    const seen: string[] = []
    for await (const { status } of videos.watch('v_1')) seen.push(status)
    expect(seen).toEqual(['queued', 'running', 'succeeded'])
    expect(urls().at(-1)).toBe('/v1/videos/v_1')
  })

  it('asks for the record where a proxy answers the stream with something else', async () => {
    const { videos } = await follow({
      events: Array.from({ length: 3 }, () => (response: ServerResponse) => {
        response.writeHead(406, { 'Content-Type': 'text/html' }).end('<h1>Not Acceptable</h1>')
      }),
      records: [record('succeeded', 100)],
    })
    expect(await videos.wait('v_1')).toMatchObject({ status: 'succeeded' })
  })

  it.each([429, 503])(
    'asks for the record at once where no stream has room (%s)',
    async (status) => {
      const { videos, pauses } = await follow({
        events: [
          (response) => {
            response.setHeader('Retry-After', '10')
            answerJson(response, status, {
              error: 'RateLimitExceeded',
              message: 'Too many streams.',
            })
          },
        ],
        records: [record('running', 50), record('succeeded', 100)],
      })
      expect(await videos.wait('v_1')).toMatchObject({ status: 'succeeded' })
      expect(pauses.every((ms) => ms <= 2000)).toBe(true)
      expect(urls().filter((url) => url.endsWith('/events'))).toHaveLength(1)
    },
  )

  it('throws what is known of a video that failed, and of one that was canceled', async () => {
    const failed = {
      ...record('failed', 40),
      reason: 'source_too_slow',
      errorMessage: 'fileUrl: slow',
    }
    const ends = [failed, record('canceled', 40)].map((end) => (response: ServerResponse) => {
      openStream(response)
      sendEvent(response, 'end', end)
      response.end()
    })
    const { videos } = await follow({ events: ends, records: [] })
    const error = await videos.wait('v_1').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VideoFailedError)
    expect(error).toMatchObject({ reason: 'source_too_slow', video: failed })
    expect(String(error)).toContain('fileUrl: slow')
    await expect(videos.wait('v_1')).rejects.toThrow('Video v_1 was canceled.')
  })

  it('ends at once for a video that does not exist', async () => {
    server = await AnsweringServer.start((_, response) =>
      answerJson(response, 404, { error: 'NotFound', message: 'Video not found.' }),
    )
    const { transport } = transportTo(server.origin)
    const videos = new Videos(transport, new Uploads(transport))
    await expect(videos.wait('v_1')).rejects.toThrow(ApiError)
    expect(server.asked).toHaveLength(1)
  })

  it('ends at once when it is aborted in the middle of a stream', async () => {
    const controller = new AbortController()
    const { videos } = await follow({
      events: [
        (response) => {
          openStream(response)
          sendEvent(response, 'progress', record('running', 10))
        },
      ],
      records: [],
    })
    const onProgress = () => controller.abort(new Error('enough'))
    const waiting = videos.wait('v_1', { signal: controller.signal, onProgress })
    await expect(waiting).rejects.toThrow('enough')
    expect(server.asked).toHaveLength(1)
  })
})

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchHere, type Fetching } from '../../support/containers/fetch-here.ts'
import { aSourceServer } from '../../support/containers/service-for-all.ts'
import { campaign } from '../../support/node/campaign.ts'

/** One stretch of the pace is a second here, because these tests check who is accepted, not how long it takes. */
const pace = { bytes: 3_000, withinMs: 1_000 }

/** Private hosts keep no secrets here. */
const open = { tellsPrivateFaults: true, privatePatienceMs: 60_000, pace }

async function fetchAll({ limits, ...asked }: Fetching): Promise<string> {
  const { folder } = await fetchHere({ ...asked, limits: { ...open, ...limits } })
  return folder
}

/** Sends pieces of this size, one every 20 ms, until all is sent or the connection is closed. */
function drip(response: ServerResponse, bytes: Buffer, size: number): void {
  if (response.destroyed) return
  if (bytes.length <= size) response.end(bytes)
  else
    response.write(bytes.subarray(0, size), () =>
      setTimeout(() => drip(response, bytes.subarray(size), size), 20),
    )
}

/** Writes one letter every 20 ms. */
function trickle(socket: net.Socket, text: string): void {
  if (socket.destroyed || text === '') return
  socket.write(text.slice(0, 1), () => setTimeout(() => trickle(socket, text.slice(1)), 20))
}

const tooSlow = {
  reason: 'source_too_slow',
  message: 'fileUrl: the file came too slowly: each 3000 bytes must arrive within 1 seconds.',
  retryable: false,
}

describe('a source that comes more slowly than an upload may', () => {
  it('fails the job, whatever part of the answer is slow, and is not requested again', async () => {
    const server = await aSourceServer()
    const slow = {
      // Sends at most 2,500 bytes in each stretch.
      body: (response: ServerResponse) => drip(response, randomBytes(100_000), 50),
      half: (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': 20_000 }).write(randomBytes(10_000))
      },
      nothing: (response: ServerResponse) => response.flushHeaders(),
    }
    for (const [name, answer] of Object.entries(slow)) {
      const url = server.route(`/${name}`, (_request, response) => answer(response))
      await expect(fetchAll({ urls: [url] }), name).rejects.toMatchObject(tooSlow)
      expect(server.hits.filter((hit) => hit === `/${name}`).length).toBeLessThanOrEqual(1)
    }
  })

  campaign('also fails it if the headers or the redirects arrive slowly', async () => {
    const trickling = net.createServer((socket) => {
      socket.on('error', () => undefined)
      trickle(socket, `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(1_000)}`)
    })
    await new Promise<void>((resolve) => trickling.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void trickling.close())
    const address = trickling.address()
    const port = typeof address === 'object' ? address?.port : 0
    await expect(fetchAll({ urls: [`http://127.0.0.1:${port}/x`] })).rejects.toMatchObject(tooSlow)

    const server = await aSourceServer()
    const url = server.route('/on', (_request, response) => {
      setTimeout(() => response.writeHead(302, { Location: '/on' }).end(), 300)
    })
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject(tooSlow)
  })

  it('is fetched if it keeps the pace, however many stretches that takes', async () => {
    const server = await aSourceServer()
    const whole = randomBytes(40_000)
    const url = server.route('/steady', (_request, response) => drip(response, whole, 600))
    const folder = await fetchAll({ urls: [url] })
    expect(whole.equals(await readFile(path.join(folder, 'in0')))).toBe(true)
  })

  campaign(
    'is a failure of our storage if it lies there, and of the element that uses it',
    async () => {
      const server = await aSourceServer()
      const url = server.route('/slow', (_request, response) => response.flushHeaders())
      const stored = fetchAll({ urls: [url], input: { origin: 'storage' } })
      await expect(stored).rejects.toMatchObject({ reason: 'storage_failed', retryable: true })
      const element = fetchAll({ urls: [url], input: { failure: 'element_unusable' } })
      await expect(element).rejects.toMatchObject({ ...tooSlow, reason: 'element_unusable' })
    },
  )
})

it('the time for all sources of a job is shared by all of them, even if each needs little of it', async () => {
  const server = await aSourceServer()
  const url = server.route('/steady', (_request, response) =>
    drip(response, randomBytes(6_000), 600),
  )
  const urls = Array.from({ length: 24 }, () => url)
  await expect(fetchAll({ urls, limits: { totalMs: 700 } })).rejects.toMatchObject({
    reason: 'source_too_slow',
    message: 'The files of this video could not all be fetched within 0.7 seconds.',
    retryable: false,
  })
})

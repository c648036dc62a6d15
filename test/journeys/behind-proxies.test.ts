import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ended, type Json } from '../support/node/api.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { HookReceiver } from '../support/node/hook-receiver.ts'
import { ownerLinkIn } from '../support/node/browser/owner-link.ts'
import { poll } from '../support/node/poll.ts'
import { Proxy, publicName } from '../support/node/proxy/proxies.ts'
import { aPlace, removePlace, RunningService } from '../support/node/service.ts'
import { clipsForAll } from '../support/node/shared-service.ts'
import { askThrough, jsonThrough, type Asking } from '../support/node/proxy/through-proxy.ts'

const MiB = 1024 * 1024
const largestFile = 2048 * MiB
/** Enough to see that a proxy keeps none of it. */
const longFile = 192 * MiB
const sentBeforeHold = 32 * MiB

describe.each(['nginx', 'caddy'] as const)('behind %s', { tags: 'campaign' }, (name) => {
  let service: RunningService
  let proxy: Proxy
  const clips = clipsForAll()
  let hooks: HookReceiver

  beforeAll(async () => {
    hooks = await HookReceiver.start()
    service = await RunningService.start(await aPlace(), {
      BASE_URL: `https://${publicName}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      // The large upload is about the way in: its job ends before all of the file is fetched again.
      MAX_SOURCE_BYTES: String(100 * MiB),
    })
    proxy = await Proxy.start(name, service.place.port)
    await poll('the proxy', async () => ask('/health').catch(() => undefined))
  })

  afterAll(async () => {
    await proxy.stop()
    await service.stop()
    await hooks.close()
    await removePlace(service.place)
  })

  const withKey = (asking: Asking = {}): Asking => ({
    ...asking,
    headers: { Authorization: `Bearer ${service.dev.apiKey}`, ...asking.headers },
  })
  const ask = async (address: string, asking?: Asking) =>
    askThrough(proxy, address, withKey(asking))
  const askJson = async (address: string, asking?: Asking) =>
    jsonThrough(proxy, address, withKey(asking))

  async function create(body: object): Promise<string> {
    const headers = { 'Content-Type': 'application/json' }
    const { videoId } = await askJson('/v1/videos', { body: JSON.stringify(body), headers })
    return String(videoId)
  }

  async function untilEnded(videoId: string): Promise<Json> {
    return poll(`${videoId} to end`, async () => {
      const record = await askJson(`/v1/videos/${videoId}`)
      return ended.includes(String(record['status'])) ? record : undefined
    })
  }

  it('events come one by one, uncompressed', async () => {
    const fileUrl = clips.serve('talk.mp4', await makeVideo({ seconds: 10, size: '640x360' }))
    const videoId = await create({ fileUrl, compressionQuality: 60 })
    const stream = await ask(`/v1/videos/${videoId}/events`, {
      headers: { 'Accept-Encoding': 'gzip, br' },
    })
    expect(stream.headers['content-encoding']).toBeUndefined()
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(String(piece))
    expect(pieces.join('')).toContain('event: end')
    // Kept back, they would have come at once.
    const earlier = pieces.filter((piece) => !piece.includes('event: end'))
    expect(earlier.join('')).toMatch(/"status":"(queued|running)"/)
    expect(pieces.length).toBeGreaterThan(2)
  })

  it('links lead through the proxy, and media workers report around it', async () => {
    const fileUrl = clips.serve('short.mp4', await makeVideo({ seconds: 2 }))
    const webhookUrl = hooks.url(`/${name}`)
    const record = await untilEnded(await create({ fileUrl, webhookUrl }))
    expect(record['status']).toBe('succeeded')
    const link = String(record['finalVideoUrl'])
    expect(link).toMatch(/^https:\/\/video\.example\.com\/files\//)
    const file = await askThrough(proxy, link, { headers: { Range: 'bytes=0-99' } })
    expect([file.statusCode, (await file.toArray()).reduce(total, 0)]).toEqual([206, 100])
    const [hook] = await poll('the webhook', async () => {
      const found = hooks.at(`/${name}`)
      return found.length > 0 ? found : undefined
    })
    expect(hook?.body).toContain('"finalVideoUrl":"https://video.example.com/files/')
    expect(logged(service).some(({ route }) => route?.startsWith('/internal/'))).toBe(true)
    expect(proxy.asked).toContain('/v1/videos')
    expect(proxy.asked).not.toContain('/internal/')
  })

  it('clients have their own addresses, whatever they claim', async () => {
    const claims = {
      'X-Forwarded-For': '6.6.6.6',
      'X-Real-IP': '6.6.6.7',
      Forwarded: 'for=6.6.6.8',
      'CF-Connecting-IP': '6.6.6.9',
    }
    const wrong = { ...claims, Authorization: 'Bearer wrong' }
    const answer = await askThrough(proxy, '/v1/jobs', { headers: wrong, from: '127.0.0.7' })
    expect(answer.statusCode).toBe(401)
    const line = await poll('the line in the log', async () =>
      logged(service).find(({ route, status }) => route === '/v1/jobs' && status === 401),
    )
    expect(line.client).toBe('127.0.0.7')
  })

  it('the owner signs in, with a cookie for https alone', async () => {
    const signedIn = await askThrough(proxy, ownerLinkIn(service.output))
    expect([signedIn.statusCode, signedIn.headers.location]).toEqual([303, '/app/videos'])
    expect(signedIn.headers['strict-transport-security']).toBe('max-age=31536000')
    const [Cookie = '', ...attributes] = signedIn.headers['set-cookie']?.[0]?.split('; ') ?? []
    expect(Cookie).toMatch(/^__Host-spool_session=/)
    expect(attributes).toContain('Secure')
    const headers = { Cookie, Origin: `https://${publicName}`, 'Sec-Fetch-Site': 'same-origin' }
    const signedOut = await askThrough(proxy, '/app/sign-out', { body: '', headers })
    expect(signedOut.statusCode).toBe(303)
    expect((await askThrough(proxy, '/app/videos', { headers })).statusCode).toBe(303)
  })

  it('a refused upload gets its answer while it is still being sent', async () => {
    const headers = {
      Authorization: 'Bearer wrong',
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': largestFile,
    }
    const waiting = new Readable({ read: () => undefined })
    waiting.push(Buffer.alloc(MiB))
    const answer = await askThrough(proxy, '/v1/videos/upload', { body: waiting, headers })
    expect(answer.statusCode).toBe(401)
    expect(await text(answer)).toContain('The API key is not valid')
    waiting.destroy()
  })

  // Last: what the service does with such a file afterwards keeps it busy.
  it('a file of 200 megabytes arrives while it is sent, and the proxy keeps none of it', async () => {
    const clip = await readFile(await makeVideo({ seconds: 2 }))
    const boundary = 'spool-boundary'
    const begin = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="long.mp4"\r\nContent-Type: video/mp4\r\n\r\n`
    const end = `\r\n--${boundary}--\r\n`
    const form = sent(Buffer.from(begin), clip, Buffer.from(end), async () =>
      poll('the first bytes in storage', async () =>
        storedBytes(service) > sentBeforeHold / 2 ? true : undefined,
      ),
    )
    const headers = {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': begin.length + longFile + end.length,
    }
    const answer = await ask('/v1/videos/upload', { body: Readable.from(form), headers })
    const accepted = JSON.parse(await text(answer)) as Json
    expect(answer.statusCode, JSON.stringify(accepted)).toBe(202)
    expect(proxy.buffered).toEqual([])
    expect(proxy.complaints).toEqual([])
    expect(proxy.peakBytes).toBeLessThan(128 * MiB)
    expect(storedBytes(service)).toBeGreaterThan(longFile)
  })
})

/** A clip and a box that every player skips, as long as the file is to be; waits on the way until `held` is done. */
async function* sent(begin: Buffer, clip: Buffer, end: Buffer, held: () => Promise<unknown>) {
  yield begin
  yield clip
  const filling = longFile - clip.length
  const header = Buffer.alloc(8)
  header.writeUInt32BE(filling)
  header.write('free', 4)
  yield header
  const piece = Buffer.alloc(MiB)
  let isHeld = false
  for (let left = filling - header.length; left > 0; left -= piece.length) {
    if (!isHeld && filling - left > sentBeforeHold) {
      await held()
      isHeld = true
    }
    yield piece.subarray(0, left)
  }
  yield end
}

function storedBytes({ place }: RunningService): number {
  const state = path.join(place.dataDir, 'state')
  const files = readdirSync(state, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.size ?? 0), 0)
}

type Line = { route?: string; status?: number; client?: string }

function logged({ place }: RunningService): Line[] {
  const lines = readFileSync(path.join(place.dataDir, 'logs/worker.log'), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

const total = (sum: number, piece: Buffer) => sum + piece.length

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MediaInput } from '../../../../worker/contract/job/media-job.ts'
import { fetchHere, type Fetching } from '../../../support/containers/fetch-here.ts'
import { startSources, type SourceServer } from '../../../support/containers/sources.ts'
import { aSourceServer } from '../../../support/containers/service-for-all.ts'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { TransferLimits } from '../../../../containers/job/fetch/transfer-limits.ts'
import { plainVideo } from '../../../support/containers/films/element-files.ts'

/** What is said of a public server; what is said of a private one is tried below. */
const asPublic = { privatePatienceMs: 60_000, isPrivate: () => false }

async function fetchAll({
  limits,
  origin = 'customer',
  ...asked
}: Omit<Fetching, 'input'> & { origin?: MediaInput['origin'] }) {
  const hosts = { allowedHosts: new Set(origin === 'customer' ? ['127.0.0.1'] : []) }
  const job = { maxJobInputBytes: 1_500_000, ...asPublic }
  return fetchHere({ ...asked, input: { origin }, limits: { ...hosts, ...job, ...limits } })
}

/** Much more than what is lost on the way to a slow disk, so continuing always pays. */
const pieceBytes = 1024 * 1024
const roomy = { maxSourceBytes: 10 * pieceBytes, maxJobInputBytes: 10 * pieceBytes }

function rangeStart(range = 'bytes=0-'): number {
  return Number(/^bytes=(\d+)-$/.exec(range)?.[1])
}

/** Sends as much as one connection allows. */
function sendPiece(response: ServerResponse, whole: Buffer, from: number): void {
  const rest = whole.subarray(from)
  const headers = { ETag: '"v1"', 'Content-Length': rest.length }
  const range = { 'Content-Range': `bytes ${from}-${whole.length - 1}/${whole.length}` }
  response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...headers, ...range } : headers)
  if (rest.length <= pieceBytes) response.end(rest)
  else response.write(rest.subarray(0, pieceBytes), () => response.destroy())
}

describe('fetchInputs', () => {
  it('stores every input under a name of our own, in order', async () => {
    const server = await aSourceServer()
    const urls = [1, 2, 3, 4, 5, 6].map((n) =>
      server.route(`/${n}`, (_request, response) => response.end(`bytes of ${n}`)),
    )
    const { folder, names, shares } = await fetchAll({ urls })
    expect(names).toEqual(['in0', 'in1', 'in2', 'in3', 'in4', 'in5'])
    expect(await readFile(path.join(folder, 'in4'), 'utf8')).toBe('bytes of 5')
    expect(shares.at(-1)).toBe(1)
  })

  it('fetches at most four at a time', async () => {
    const server = await aSourceServer()
    const waiting: (() => void)[] = []
    let most = 0
    let open = 0
    const urls = Array.from({ length: 9 }, (_, i) =>
      server.route(`/${i}`, (_request, response) => {
        most = Math.max(most, ++open)
        waiting.push(() => {
          open--
          response.end('x')
        })
        if (waiting.length >= 4 || server.hits.length > 5) waiting.splice(0).forEach((go) => go())
      }),
    )
    await fetchAll({ urls })
    expect(most).toBe(4)
  })

  it('names the field and the status of a refusal, without trying again', async () => {
    const server = await aSourceServer()
    const message = 'fileUrl: the server answered 404'
    const failing = { reason: 'source_unreachable', message, retryable: false }
    await expect(fetchAll({ urls: [`${server.origin}/nothing`] })).rejects.toMatchObject(failing)
    expect(server.hits).toHaveLength(1)
  })

  it('tries three times when the server fails, and says so', async () => {
    const server = await aSourceServer()
    const url = server.route('/down', (_request, response) => response.writeHead(503).end())
    const message = 'fileUrl: the server answered 503 (tried 3 times)'
    const failing = { reason: 'source_unreachable', message }
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject(failing)
    expect(server.hits).toHaveLength(3)
  })

  it('continues where a connection broke off, as long as each try adds something', async () => {
    const server = await aSourceServer()
    const whole = randomBytes(5 * pieceBytes)
    const ranges: (string | undefined)[] = []
    const url = server.route('/flaky', (request, response) => {
      ranges.push(request.headers.range)
      expect(request.headers['if-range']).toBe(request.headers.range && '"v1"')
      sendPiece(response, whole, rangeStart(request.headers.range))
    })
    const { folder } = await fetchAll({ urls: [url], limits: roomy })
    expect(whole.equals(await readFile(path.join(folder, 'in0')))).toBe(true)
    expect(ranges.length).toBeGreaterThanOrEqual(5)
    expect(ranges.slice(1).every((range) => rangeStart(range) > 0)).toBe(true)
  })

  it('starts again if the file has changed, or the answer is another piece', async () => {
    const other = randomBytes(1_000)
    const answers = {
      changed: (response: ServerResponse) => response.end(other),
      elsewhere: (response: ServerResponse) => {
        const ranges = { 'Content-Range': `bytes 7-${2 * pieceBytes - 1}/${2 * pieceBytes}` }
        response.writeHead(206, ranges).end(other)
      },
      gone: (response: ServerResponse) => response.writeHead(416).end(),
    }
    const server = await aSourceServer()
    for (const [name, answer] of Object.entries(answers)) {
      let asked = 0
      const url = server.route(`/${name}`, (_request, response) => {
        asked += 1
        if (asked === 1) sendPiece(response, randomBytes(2 * pieceBytes), 0)
        else if (asked === 2) answer(response)
        else response.end(other)
      })
      const { folder } = await fetchAll({ urls: [url], limits: roomy })
      expect(other.equals(await readFile(path.join(folder, 'in0'))), name).toBe(true)
    }
  })

  it('does not accept less than was announced', async () => {
    const server = await aSourceServer()
    const url = server.route('/short', (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 })
      response.write('part', () => response.destroy())
    })
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject({ reason: 'source_unreachable' })
  })

  it('stops an endless body without a length at the limit', async () => {
    const server = await aSourceServer()
    const url = server.route('/endless', (_request, response) => {
      const chunk = Buffer.alloc(65_536)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject({
      reason: 'source_too_large',
      message: 'fileUrl: the file is larger than 1000000 bytes.',
    })
  })

  it('does not start to fetch a file that is declared too large', async () => {
    const server = await aSourceServer()
    const url = server.route('/large', (_request, response) => {
      response.writeHead(200, { 'Content-Length': 1_000_001 })
      response.write('x')
    })
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject({ reason: 'source_too_large' })
  })

  it('adds up the sizes of all inputs of a job, and ends the others when one fails, at any moment', async () => {
    const server = await aSourceServer()
    const url = server.route('/half', (_request, response) => response.end(Buffer.alloc(900_000)))
    // In about one of three runs the failure happens while Node's pipeline cannot react to it.
    for (let run = 0; run < 40; run++) {
      await expect(fetchAll({ urls: [url, url] })).rejects.toMatchObject({
        reason: 'source_too_large',
        message: 'All files of this video together are larger than 1500000 bytes.',
      })
    }
  })

  it('blames the disk and not the customer if there is no space', async () => {
    const server = await aSourceServer()
    const url = server.route('/half', (_request, response) => response.end(Buffer.alloc(9_000)))
    await expect(fetchAll({ urls: [url], limits: { roomBytes: 8_000 } })).rejects.toMatchObject({
      reason: 'out_of_resources',
      retryable: true,
    })
  })

  it('gives up on a server that stops sending', async () => {
    const server = await aSourceServer()
    const silent = server.route('/silent', (_request, response) => response.write('x'))
    await expect(fetchAll({ urls: [silent], limits: { idleMs: 50 } })).rejects.toMatchObject({
      message: 'fileUrl: the server fell silent (tried 3 times)',
    })
  })

  it('refuses bytes that are compressed although this was not asked for', async () => {
    const server = await aSourceServer()
    const url = server.route('/bomb', (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
    )
    await expect(fetchAll({ urls: [url] })).rejects.toMatchObject({ reason: 'source_unreachable' })
  })

  it('reveals no addresses, ports or causes when it refuses or fails', async () => {
    const refused = fetchAll({ urls: ['http://10.1.2.3/x'] })
    await expect(refused).rejects.toMatchObject({
      reason: 'source_not_allowed',
      message: 'fileUrl: the address is not allowed.',
    })
    const closed = await startSources()
    await closed.close()
    await expect(fetchAll({ urls: [`${closed.origin}/x`] })).rejects.toMatchObject({
      reason: 'source_unreachable',
      message: 'fileUrl: the connection failed (tried 3 times)',
    })
  })

  it('does not check our own storage, and reports its failures as ours', async () => {
    const server = await aSourceServer()
    const url = server.route('/stored', (_request, response) => response.end('bytes'))
    const { names } = await fetchAll({ urls: [url], origin: 'storage' })
    expect(names).toEqual(['in0'])
    const gone = fetchAll({ urls: [`${server.origin}/gone`], origin: 'storage' })
    await expect(gone).rejects.toMatchObject({ reason: 'storage_failed', retryable: true })
  })

  it('says at once why a link of ours does not work', async () => {
    const server = await aSourceServer()
    const url = server.route('/dead', (_request, response) => response.writeHead(403).end())
    const links = { [url]: 'has expired', [`${server.origin}/gone`]: 'no longer there' }
    for (const [link, what] of Object.entries(links)) {
      const message = expect.stringMatching(`^fileUrl: .+${what}.$`) as string
      await expect(fetchAll({ urls: [link], origin: 'link' })).rejects.toMatchObject({ message })
    }
  })

  it('ends at once when the job is ended', async () => {
    const server = await aSourceServer()
    const controller = new AbortController()
    const reason = new Error('canceled')
    const url = server.route('/slow', () => controller.abort(reason))
    await expect(fetchAll({ urls: [url], signal: controller.signal })).rejects.toBe(reason)
  })
})

const patienceMs = 700

/** Starts a server that listens but is not a web server. */
async function listener(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closedPort(): Promise<string> {
  const server = await startSources()
  await server.close()
  return `127.0.0.1:${server.port}`
}

async function fetchOne(url: string, limits: Partial<TransferLimits> = {}) {
  const startedAt = performance.now()
  const hosts = new Set(['127.0.0.1', 'localhost'])
  const fetching = fetchHere({
    urls: [url],
    limits: { allowedHosts: hosts, privatePatienceMs: patienceMs, ...limits },
  })
  const { told, folder } = await fetching.then(
    (fetched) => ({ told: 'fetched', folder: fetched.folder }),
    ({ reason, message }: Error & { reason?: string }) => ({
      told: { reason, message },
      folder: '',
    }),
  )
  return { told, folder, tookMs: performance.now() - startedAt }
}

const nothing = {
  reason: 'source_unreachable',
  message:
    'fileUrl: no video of a known format came from this address. Either nothing answers there, or it answers with ' +
    'an error such as 404 or 500, or with something else. Which of these a private host did is only in the log of the media worker.',
}

describe('fetching from a host that only the allow-list lets in', () => {
  it('reveals neither by its message nor by its time whether a port is open', async () => {
    const server = await aSourceServer()
    const routes: Record<string, Parameters<SourceServer['route']>[1]> = {
      '/404': (_q, response) => response.writeHead(404).end(),
      '/503': (_q, response) => response.writeHead(503).end(),
      '/page': (_q, response) => response.end('<html><body>Router</body></html>'),
      '/empty': (_q, response) => response.end(),
      '/gzip': (_q, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
      '/promise': (_q, response) => response.writeHead(200, { 'Content-Length': 9e9 }).end(),
      '/drip': (_q, response) => response.write('x'),
      '/secrets': (_q, response) => response.end(Buffer.alloc(100_000, 'secret ')),
      '/to-closed': (_q, response) =>
        response.writeHead(302, { Location: 'http://10.0.0.1/' }).end(),
      '/to-scheme': (_q, response) => response.writeHead(302, { Location: 'file:///etc' }).end(),
    }
    const addresses = [
      `http://${await closedPort()}/`,
      `http://${await listener(() => undefined)}/`,
      `http://${await listener((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))}/`,
      `http://${await listener((socket) => socket.resetAndDestroy())}/`,
      `https://${await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))}/`,
      `https://${await listener(() => undefined)}/`,
      `http://localhost:${server.port}/nowhere`,
      ...Object.entries(routes).map(([at, answer]) => server.route(at, answer)),
    ]
    const results = await Promise.all(addresses.map(async (url) => fetchOne(url)))
    for (const [i, { told, tookMs }] of results.entries()) {
      expect(told, addresses[i]).toEqual(nothing)
      expect(tookMs, addresses[i]).toBeGreaterThan(patienceMs - 20)
    }
    const times = results.map(({ tookMs }) => tookMs)
    // A silent public server would be given thirty seconds.
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(10_000)
  })

  it('reveals nothing even if a public host leads to it', async () => {
    const closed = await closedPort()
    const server = await aSourceServer()
    const url = server.route('/there', (_q, response) =>
      response.writeHead(302, { Location: `http://${closed}/` }).end(),
    )
    const isPrivate = ({ host }: URL) => host === closed
    expect((await fetchOne(url, { isPrivate })).told).toEqual(nothing)
    expect((await fetchOne(`${server.origin}/x`, { isPrivate })).told).toMatchObject({
      message: 'fileUrl: the server answered 404',
    })
  })

  it('fetches media for as long as needed, and then reports failures in detail', async () => {
    const server = await aSourceServer()
    const file = await plainVideo()
    const bytes = await readFile(file)
    const slow = server.route('/slow', (_q, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 6_000))
      setTimeout(() => response.end(bytes.subarray(6_000)), patienceMs + 200)
    })
    const { told, folder } = await fetchOne(slow)
    expect(told).toBe('fetched')
    expect(bytes.equals(await readFile(path.join(folder, 'in0')))).toBe(true)
    const large = await fetchOne(server.file(file), { maxSourceBytes: 5_000 })
    expect(large.told).toMatchObject({ reason: 'source_too_large' })
    expect(large.tookMs).toBeLessThan(patienceMs)
  })

  it('trusts no other port because of what the first one sent', async () => {
    const server = await aSourceServer()
    const bytes = await readFile(await plainVideo())
    const closed = await closedPort()
    const url = server.route('/twice', (_q, response) => {
      if (server.hits.length > 1) {
        response.writeHead(302, { Location: `http://${closed}/` }).end()
        return
      }
      response.writeHead(200, { 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 6_000), () => response.destroy())
    })
    expect((await fetchOne(url)).told).toEqual(nothing)
  })
})

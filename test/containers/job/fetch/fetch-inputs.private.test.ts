import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TransferLimits } from '../../../../containers/job/fetch/transfer-limits.ts'
import { fetchHere } from '../../../support/containers/fetch-here.ts'
import { plainVideo } from '../../../support/containers/films/element-files.ts'
import { startSources, type SourceServer } from '../../../support/containers/sources.ts'
import { aSourceServer } from '../../../support/containers/service-for-all.ts'

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

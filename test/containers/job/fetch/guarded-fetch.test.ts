import { describe, expect, it } from 'vitest'
import { AddressRefusedError } from '../../../../containers/job/fetch/vetted-lookup.ts'
import { guardedFetch, type FetchGuard } from '../../../../containers/job/fetch/guarded-fetch.ts'
import { ownService } from '../../../support/containers/own-service.ts'
import { aSourceServer } from '../../../support/containers/service-for-all.ts'

function guard(allowed: readonly string[], changes: Partial<FetchGuard> = {}): FetchGuard {
  return {
    origin: 'customer',
    allowedHosts: new Set(allowed),
    own: ownService('https://api.spool.example'),
    connectMs: 60_000,
    idleMs: 60_000,
    signal: new AbortController().signal,
    ...changes,
  }
}

const publicAddress = { address: '93.184.215.14', family: 4 }
const ownAddress = { address: '127.0.0.1', family: 4 }

describe('guardedFetch', () => {
  it('refuses loopback, private and odd spellings without a single packet', async () => {
    const trap = await aSourceServer()
    const addresses = [
      ...[trap.origin, `http://localhost:${trap.port}/`, `http://[::ffff:127.0.0.1]:${trap.port}/`],
      ...['http://2130706433/', 'http://0x7f.1/', 'http://169.254.169.254/', 'http://[::1]/'],
      ...['http://10.0.0.1/', 'http://metadata.google.internal/', 'http://example.com:22/'],
    ]
    for (const address of addresses) {
      await expect(guardedFetch(address, guard([]))).rejects.toThrow(AddressRefusedError)
    }
    expect(trap.hits).toEqual([])
  })

  it('refuses a name that resolves to a private address, even along with a public one, or to none', async () => {
    const trap = await aSourceServer()
    const url = 'http://video.example/'
    const loopback = { address: '::1', family: 6 }
    for (const addresses of [[ownAddress], [publicAddress, ownAddress], [loopback], []]) {
      const resolve = async () => addresses
      await expect(guardedFetch(url, guard([], { resolve }))).rejects.toThrow(AddressRefusedError)
    }
    expect(trap.hits).toEqual([])
  })

  it('requests an exempt host, by the name that is exempt', async () => {
    const server = await aSourceServer()
    server.route('/video', (_request, response) => response.end('bytes'))
    const url = `http://files.example:${server.port}/video`
    const allowed = [`files.example:${server.port}`]
    const response = await guardedFetch(url, guard(allowed, { resolve: async () => [ownAddress] }))
    expect(response.statusCode).toBe(200)
    response.destroy()
  })

  it('checks every redirect like the first address', async () => {
    const trap = await aSourceServer()
    const server = await aSourceServer()
    const targets = [
      `${trap.origin}/secret`,
      'file:///etc/passwd',
      'gopher://x/',
      'http://u:p@a.example/',
    ]
    for (const [i, Location] of targets.entries()) {
      const url = server.route(`/r${i}`, (_q, response) =>
        response.writeHead(302, { Location }).end(),
      )
      const exempt = guard([`127.0.0.1:${server.port}`])
      await expect(guardedFetch(url, exempt)).rejects.toThrow(AddressRefusedError)
    }
    expect(trap.hits).toEqual([])
  })

  it('refuses every hop to our own service except its files, however it is spelled', async () => {
    const service = await aSourceServer()
    const server = await aSourceServer()
    service.route('/files/t/x', (_request, response) => response.end('a file'))
    const { origin: ownOrigin, port } = service
    const hosts = ['127.0.0.1', 'localhost', 'localhost.', '[::1]', '0.0.0.0', 'nas.lan']
    const own = guard([...hosts.map((host) => host.replace(/\.$/, ''))], {
      own: ownService(ownOrigin),
      resolve: async () => [ownAddress],
    })
    for (const host of hosts) {
      const Location = `http://${host}:${port}/cdn-cgi/x`
      const url = server.route(`/to/${host}`, (_q, response) =>
        response.writeHead(302, { Location }).end(),
      )
      await expect(guardedFetch(Location, own)).rejects.toThrow('the address is not allowed')
      await expect(guardedFetch(url, own)).rejects.toThrow('the address is not allowed')
    }
    expect(service.hits).toEqual([])
    const file = await guardedFetch(`http://nas.lan:${port}/files/t/x`, own)
    expect(file.statusCode).toBe(200)
    file.destroy()
    const asStorage = { ...own, origin: 'storage' as const }
    const stored = await guardedFetch(`${ownOrigin}/cdn-cgi/local/r2/s3/x`, asStorage)
    expect(stored.statusCode).toBe(404)
    stored.destroy()
  })

  it('refuses every hop to any port of ours, even if its name and port are allowed', async () => {
    const hidden = await aSourceServer()
    const server = await aSourceServer()
    hidden.route('/files/t/x', (_request, response) => response.end('a secret'))
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', 'nas.lan', '[::ffff:7f00:1]']
    const allowed = hosts.flatMap((host) => [host, `${host}:${hidden.port}`])
    const own = guard(allowed, {
      own: ownService('https://api.spool.example', [hidden.port]),
      resolve: async () => [ownAddress],
    })
    for (const [i, host] of hosts.entries()) {
      for (const path of ['/files/t/x', '/jobs']) {
        const Location = `http://${host}:${hidden.port}${path}`
        const url = server.route(`/to/${i}${path}`, (_q, response) =>
          response.writeHead(307, { Location }).end(),
        )
        await expect(guardedFetch(Location, own)).rejects.toThrow('the address is not allowed')
        await expect(guardedFetch(url, own)).rejects.toThrow('the address is not allowed')
      }
    }
    expect(hidden.hits).toEqual([])
  })

  it('recognises this machine by the addresses of its interfaces, even behind a name', async () => {
    const hidden = await aSourceServer()
    const own = { ...ownService('https://api.spool.example', [hidden.port]) }
    const here = guard([`nas.lan:${hidden.port}`], {
      own: { ...own, hosts: new Set(['192.168.77.5']) },
      resolve: async () => [{ address: '::ffff:192.168.77.5', family: 6 }],
    })
    const fetching = guardedFetch(`http://nas.lan:${hidden.port}/jobs`, here)
    await expect(fetching).rejects.toThrow('the address is not allowed')
  })

  it('follows five redirects but not a sixth', async () => {
    const server = await aSourceServer()
    for (let i = 0; i < 7; i++) {
      const Location = `/hop${i + 1}`
      server.route(`/hop${i}`, (_q, response) => response.writeHead(307, { Location }).end())
    }
    server.route('/hop7', (_request, response) => response.end('there'))
    const exempt = guard(['127.0.0.1'])
    const reached = await guardedFetch(`${server.origin}/hop2`, exempt)
    expect(reached.statusCode).toBe(200)
    reached.destroy()
    await expect(guardedFetch(`${server.origin}/hop1`, exempt)).rejects.toThrow('more than 5 times')
  })

  it('asks for uncompressed bytes', async () => {
    const server = await aSourceServer()
    let coding: string | undefined
    const url = server.route('/video', (request, response) => {
      coding = request.headersDistinct['accept-encoding']?.join()
      response.end()
    })
    const response = await guardedFetch(url, guard(['127.0.0.1']))
    response.destroy()
    expect(coding).toBe('identity')
  })

  it('gives up on a server that accepts a connection and sends nothing', async () => {
    const server = await aSourceServer()
    const url = server.route('/silent', () => undefined)
    const fetching = guardedFetch(url, guard(['127.0.0.1'], { idleMs: 50 }))
    await expect(fetching).rejects.toThrow('the server fell silent')
  })
})

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openDatabaseAlone,
  readWorkerOptions,
  splitStatements,
  startRuntime,
  type Runtime,
} from '../../../scripts/host/runtime.ts'
import { root } from '../../../scripts/machine/checkout.ts'
import { freePorts } from '../../../scripts/machine/ports.ts'
import { directoryForAll } from '../../support/node/directories.ts'

/** If an upgrade of miniflare or wrangler fails here, it has changed a name that scripts/host/runtime.ts uses. */
const moved = (name: string) =>
  `${name} has changed with an upgrade of miniflare or wrangler: see scripts/host/runtime.ts`

const s3 = { accessKeyId: 'an access key of this test', secretAccessKey: 'a secret of this test' }

const script = `
let scheduled = 0
export default {
  async fetch(request, env) {
    console.log(JSON.stringify({ event: 'asked', greeting: env.GREETING }))
    const { clientIp } = request.cf ?? {}
    return Response.json({ path: new URL(request.url).pathname, greeting: env.GREETING, scheduled, clientIp })
  },
  scheduled() { scheduled++ },
}`

const folder = directoryForAll()
let runtime: Runtime
let ports: { public: number; entry: number; loopback: number }
const logged: string[] = []

beforeAll(async () => {
  const [open = 0, entry = 0, loopback = 0] = await freePorts(3)
  ports = { public: open, entry, loopback }
  const file = path.join(folder, 'index.js')
  writeFileSync(file, script)
  runtime = await startRuntime({
    options: {
      bindings: { GREETING: 'from the configuration' },
      r2Buckets: { BUCKET: { id: 'films' } },
      d1Databases: { DB: { id: 'db' } },
      compatibilityDate: '2026-10-01',
    },
    modules: [{ type: 'ESModule', path: file }],
    bindings: { GREETING: 'from the data directory' },
    s3,
    stateDirectory: path.join(folder, 'state'),
    listen: { host: '127.0.0.1', port: open },
    ports: { entry, loopback },
    onLog: (_, message) => logged.push(message),
    onRestart: () => undefined,
  })
})

afterAll(async () => {
  await runtime.stop()
})

const ask = async (port: number, address: string) => fetch(`http://127.0.0.1:${port}${address}`)

/** `fetch` writes Host itself. */
async function askAs(host: string, address: string): Promise<unknown> {
  const request = get({ port: ports.public, path: address, headers: { Host: host } })
  const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const part of response) text += String(part)
  return JSON.parse(text)
}

async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const [error] = await Promise.race([
    once(server, 'listening').then(() => []),
    once(server, 'error'),
  ])
  server.close()
  return error !== undefined
}

describe('the public socket', () => {
  it('leads to the Worker with the variables of the data directory', async () => {
    const answer = await ask(ports.public, '/v1/videos')
    expect(await answer.json(), moved('unsafeDirectSockets')).toMatchObject({
      path: '/v1/videos',
      greeting: 'from the data directory',
    })
  })

  it.each([
    '/cdn-cgi/local/r2/s3/films',
    '/cdn-cgi/local/scheduled',
    '/cdn-cgi/local/explorer',
    '/cdn-cgi/handler/scheduled',
    '/cdn-cgi/mf/reload',
  ])('passes %s to the Worker, whatever Host says', async (address) => {
    for (const host of ['127.0.0.1', `127.0.0.1:${ports.entry}`, 'localhost', 'evil.example']) {
      expect(await askAs(host, address)).toMatchObject({ path: address })
    }
  })
})

it('the other end of a connection to the public socket is told to the Worker, and no client can claim another', async () => {
  const headers = { 'MF-CF-Blob': '{"clientIp":"203.0.113.9:1"}' }
  const answer = await fetch(`http://127.0.0.1:${ports.public}/`, { headers })
  const { clientIp } = (await answer.json()) as { clientIp: string }
  expect(clientIp, moved('CoreHeaders.CF_BLOB')).toMatch(/^127\.0\.0\.1:\d+$/)
})

describe('the simulator’s own entry', () => {
  const object = () => `http://127.0.0.1:${ports.entry}/cdn-cgi/local/r2/s3/films/a.txt`

  it('serves the bucket to the credentials of the data directory', async () => {
    const client = new AwsClient({ ...s3, service: 's3', region: 'auto' })
    const put = await client.fetch(object(), { method: 'PUT', body: 'a film' })
    expect(put.status, moved('s3Credentials')).toBe(200)
    expect(await (await client.fetch(object())).text()).toBe('a film')
  })

  it('refuses everybody else, the credentials of earlier versions too', async () => {
    const former = { accessKeyId: 'local', secretAccessKey: 'localsecret' }
    const client = new AwsClient({ ...former, service: 's3', region: 'auto' })
    expect((await client.fetch(object())).status).toBe(401)
    expect((await fetch(object())).status).toBe(400)
  })

  it('does not serve the Worker a second time', async () => {
    expect((await ask(ports.entry, '/v1/videos')).status).toBe(404)
  })
})

describe('the runtime', () => {
  it('listens on the ports it was given, so that all of them are known', async () => {
    expect(await isTaken(ports.loopback), moved('the server that workerd asks')).toBe(true)
  })

  it('runs what is scheduled without an address for it', async () => {
    const before = (await (await ask(ports.public, '/')).json()) as { scheduled: number }
    await runtime.runScheduled('* * * * *')
    const after = (await (await ask(ports.public, '/')).json()) as { scheduled: number }
    expect(after.scheduled, moved('Fetcher.scheduled')).toBe(before.scheduled + 1)
  })

  it('passes on what the Worker writes', async () => {
    await ask(ports.public, '/')
    expect(logged, moved('handleStructuredLogs')).toContain(
      '{"event":"asked","greeting":"from the data directory"}',
    )
  })
})

it('the database alone opens without a Worker', async () => {
  const options = { bindings: {}, r2Buckets: {}, d1Databases: { DB: { id: 'another' } } }
  const { database, close } = await openDatabaseAlone(options, path.join(folder, 'alone'))
  const { results } = await database.prepare('SELECT 1 AS one').all()
  await close()
  expect(results).toEqual([{ one: 1 }])
})

describe('what wrangler.toml says', () => {
  it('is read as plain data', async () => {
    const options = await readWorkerOptions(path.join(root, 'wrangler.toml'))
    expect(options.bindings, moved('unstable_getMiniflareWorkerOptions')).toMatchObject({
      ENVIRONMENT: 'local',
    })
    expect(JSON.parse(JSON.stringify(options))).toEqual(options)
    expect(Object.keys(options.r2Buckets)).toEqual(['BUCKET'])
    expect(JSON.stringify(options)).not.toMatch(/secretAccessKey/)
  })

  it('leaves a trigger whole when migrations are split into statements', async () => {
    const trigger =
      'CREATE TRIGGER t AFTER UPDATE ON a BEGIN UPDATE b SET c = 1; UPDATE b SET d = 2; END;'
    expect(
      await splitStatements(`CREATE TABLE a (x);\n${trigger}`),
      moved('unstable_splitSqlQuery'),
    ).toHaveLength(2)
  })
})

it('package.json pins every package whose unstable names are used', () => {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  for (const name of ['miniflare', 'wrangler']) {
    expect(manifest.devDependencies[name], `${name} is not pinned`).toMatch(
      /^\d+\.\d+\.\d+(-\w+)?$/,
    )
  }
})

import { describe, expect, it, vi } from 'vitest'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import { limits } from '../../../worker/contract/limits.ts'
import type { Scope } from '../../../worker/contract/people/api-key.ts'
import { publicRoutes, type Route } from '../../../worker/contract/routes.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { send, type Answer, type Client } from '../../support/worker/client.ts'
import { reportDisk } from '../../support/worker/platform/disk.ts'
import { document } from '../../support/worker/documented.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aFile, upload } from '../../support/worker/upload-form.ts'
import { sourceUrl } from '../../support/worker/videos.ts'

standInForAll()

const longest = 8 * limits.jsonBodyBytes

/** Runs while the database, or the object that counts the requests of a key, fails. */
async function without<Value>(what: 'DB' | 'KEY_GATE', run: () => Promise<Value>): Promise<Value> {
  const fail = () => {
    throw new Error('it is being moved')
  }
  const broken =
    what === 'DB'
      ? vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(fail)
      : vi.spyOn(prototypeOf(bindings.KEY_GATE), 'getByName').mockImplementation(fail)
  try {
    return await run()
  } finally {
    broken.mockRestore()
  }
}

const withKeys = Object.entries(publicRoutes as Record<string, Route>).flatMap(([name, route]) =>
  route.needs === 'open' ? [] : [{ name, ...route, needs: route.needs }],
)

const operationOf = ({ method, path }: Route) =>
  document.paths[path]?.[method.toLowerCase() as 'get' | 'post']

/** The address with the examples of what it needs: of nothing that is there. */
function addressOf(route: Route): string {
  const needed = operationOf(route)?.parameters?.filter(({ required }) => required) ?? []
  const path = needed.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example)),
    route.path,
  )
  const query = needed.filter((one) => one.in === 'query')
  return `${path}?${query.map(({ name }) => `${name}=v_00000000`).join('&')}`
}

/** An example of its body; undefined if it takes none, or a form. Those of videos name clips of this very service. */
function bodyOf(route: Route): unknown {
  const body = operationOf(route)?.requestBody
  if (!body || !('$ref' in body)) return undefined
  const name = body.$ref.split('/').at(-1) ?? ''
  if (name === 'CreateVideo') return { fileUrl: sourceUrl, preset: 'nobodys' }
  const { content = {} } = document.components.requestBodies[name] ?? {}
  return Object.values(content['application/json']?.examples ?? {})[0]?.value
}

// Whether an answer is as the description says is looked at wherever a test asks for one.
describe.each(withKeys)('$name', (route) => {
  const { name, method, needs } = route
  const body = bodyOf(route)
  const ask = async (client: Client): Promise<Answer> =>
    name === 'uploadVideo'
      ? upload(client, [aFile()])
      : client.request(method, addressOf(route), body)

  it('answers as every operation does without a good key, and where something fails', async () => {
    expect((await send(addressOf(route), { method })).status).toBe(401)
    const others: Scope = needs === 'videos:read' ? 'videos:write' : 'videos:read'
    expect((await ask(await aClient({ scopes: [others] }))).status).toBe(403)
    const limited = await aClient({ rateLimits: '1/60' })
    await limited.get('/v1/videos')
    // Continuing an upload has separate windows, which are ten times as large.
    if (route.path.startsWith('/v1/uploads/')) for (let i = 0; i < 10; i++) await ask(limited)
    expect((await ask(limited)).status).toBe(429)
    const client = await aClient()
    expect((await without('DB', async () => ask(client))).status).toBe(500)
    expect((await without('KEY_GATE', async () => ask(client))).status).toBe(503)
    const disk = reportDisk(0)
    expect((await without('KEY_GATE', async () => ask(client))).status).toBe(507)
    disk.freeBytes = disk.totalBytes
    forgetAll()
  })

  // Whether there is such an upload is asked before its body is read.
  it.runIf(body !== undefined && name !== 'completeUpload')(
    'refuses a body that is too large',
    async () => {
      const tooLong = JSON.stringify('x'.repeat(longest))
      const client = await aClient()
      expect((await client.request(method, addressOf(route), tooLong)).status).toBe(413)
    },
  )
})

import { vi } from 'vitest'
import type { Scope } from '../../../worker/contract/people/api-key.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { reportDisk } from '../../support/worker/disk.ts'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import { send, type Answer, type Client } from '../../support/worker/client.ts'
import type { Documented } from './documented.ts'

/** Runs while D1 fails. */
export async function withoutDatabase<Value>(run: () => Promise<Value>): Promise<Value> {
  const prepare = vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
    throw new Error('D1 is down')
  })
  try {
    return await run()
  } finally {
    prepare.mockRestore()
  }
}

async function withoutGate<Value>(run: () => Promise<Value>): Promise<Value> {
  const getByName = vi.spyOn(prototypeOf(bindings.KEY_GATE), 'getByName').mockImplementation(() => {
    throw new Error('the object is being moved')
  })
  try {
    return await run()
  } finally {
    getByName.mockRestore()
  }
}

/** Checks the answers that every request with a key may get: 401, 403, 429, 500, 503 and 507. */
export async function checkKeyFailures(
  documented: Documented,
  needs: Scope,
  path: string,
  body?: object | ((client: Client) => Promise<Answer>),
): Promise<void> {
  const method = documented.method.toUpperCase()
  const ask = async (client: Client): Promise<Answer> =>
    body instanceof Function ? body(client) : client.request(method, path, body)
  documented.check(401, await send(path, { method }))
  const others: Scope = needs === 'videos:read' ? 'videos:write' : 'videos:read'
  documented.check(403, await ask(await aClient({ scopes: [others] })))
  const limited = await aClient({ rateLimits: '1/60' })
  await limited.get('/v1/videos')
  // Continuing an upload has separate windows, which are ten times as large.
  if (path.startsWith('/v1/uploads/')) for (let i = 0; i < 10; i++) await ask(limited)
  documented.check(429, await ask(limited))
  const client = await aClient()
  documented.check(500, await withoutDatabase(() => ask(client)))
  documented.check(503, await withoutGate(() => ask(client)))
  const disk = reportDisk(0)
  documented.check(507, await withoutGate(() => ask(client)))
  disk.freeBytes = disk.totalBytes
  forgetAll()
}

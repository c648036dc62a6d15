import { describe, it } from 'vitest'
import { limits, presetLimits } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'

stopTheClock()

const path = '/v1/presets'
const fields = { removeSilence: true }

async function put(client: Client, name: string, body: unknown) {
  return client.request('PUT', `${path}/${name}`, body)
}

describe('presets', () => {
  it('answer as documented about listing and reading them', async () => {
    const list = new Documented('get', path)
    const read = new Documented('get', `${path}/{presetName}`)
    const client = await aClient()
    list.check(200, await client.get(path))
    await checkKeyFailures(list, 'videos:read', path)
    await put(client, 'mine', { fields })
    read.check(200, await client.get(`${path}/mine`))
    read.check(404, await client.get(`${path}/nobodys`))
    await checkKeyFailures(read, 'videos:read', `${path}/mine`)
    list.expectComplete()
    read.expectComplete()
  })

  it('answer as documented about changing them', async () => {
    const write = new Documented('put', `${path}/{presetName}`)
    const remove = new Documented('delete', `${path}/{presetName}`)
    const client = await aClient()
    write.check(201, await put(client, 'mine', { fields }))
    const insert = bindings.DB.prepare('INSERT INTO presets VALUES (?, ?, NULL, ?, 0, 0)')
    const rows = Array.from({ length: presetLimits.perAccount }, (_, i) =>
      insert.bind(client.accountId, `p${i}`, '{}'),
    )
    await bindings.DB.batch(rows.slice(1))
    advanceSeconds(1)
    write.check(200, await put(client, 'mine', { fields }))
    write.check(400, await put(client, 'mine', { fields: {} }))
    write.check(409, await put(client, 'beyond', { fields }))
    const tooLong = JSON.stringify({ description: 'x'.repeat(limits.jsonBodyBytes) })
    write.check(413, await put(client, 'mine', tooLong))
    const mine = `${path}/mine`
    await checkKeyFailures(write, 'videos:write', mine, { fields })
    await checkKeyFailures(remove, 'videos:write', mine)
    remove.check(204, await client.delete(mine))
    remove.check(404, await client.delete(mine))
    remove.check(409, await client.delete(`${path}/captions`))
    write.expectComplete()
    remove.expectComplete()
  })
})

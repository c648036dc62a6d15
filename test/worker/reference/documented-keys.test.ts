import { describe, it } from 'vitest'
import { keysPerAccount, limits } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'

stopTheClock()

const path = '/v1/keys'
const needs = 'keys:manage'
const tooLong = JSON.stringify({ name: 'x'.repeat(limits.jsonBodyBytes) })

describe('the keys of an account', () => {
  it('answers as documented about creating and listing them', async () => {
    const create = new Documented('post', path)
    const list = new Documented('get', path)
    const client = await aClient()
    const wish = { scopes: ['videos:read'] }
    create.check(201, await client.post(path, wish))
    create.check(400, await client.post(path, {}))
    create.check(413, await client.post(path, tooLong))
    await checkKeyFailures(create, needs, path, wish)
    list.check(200, await client.get(path))
    list.check(400, await client.get(`${path}?limit=0&cursor=y`))
    await checkKeyFailures(list, needs, path)
    const insert = bindings.DB.prepare(
      `INSERT INTO api_keys (id, account_id, hash, hint, scopes, created_at) VALUES (?, ?, ?, '', '[]', 0)`,
    )
    const ids = Array.from({ length: keysPerAccount }, (_, i) => `${client.keyId}${i}`)
    await bindings.DB.batch(ids.map((id) => insert.bind(id, client.accountId, id)))
    create.check(409, await client.post(path, wish))
    create.expectComplete()
    list.expectComplete()
  })

  it('answers as documented about one of them', async () => {
    const read = new Documented('get', `${path}/{keyId}`)
    const rename = new Documented('patch', `${path}/{keyId}`)
    const revoke = new Documented('delete', `${path}/{keyId}`)
    const client = await aClient()
    const one = `${path}/${client.keyId}`
    const none = `${path}/k_nobodys`
    const name = { name: 'Website' }
    read.check(200, await client.get(one))
    read.check(404, await client.get(none))
    rename.check(200, await client.patch(one, name))
    rename.check(400, await client.patch(one, {}))
    rename.check(404, await client.patch(none, name))
    rename.check(413, await client.patch(one, tooLong))
    await checkKeyFailures(read, needs, one)
    await checkKeyFailures(rename, needs, one, name)
    await checkKeyFailures(revoke, needs, one)
    revoke.check(404, await client.delete(none))
    revoke.check(204, await client.delete(one))
    read.expectComplete()
    rename.expectComplete()
    revoke.expectComplete()
  })
})

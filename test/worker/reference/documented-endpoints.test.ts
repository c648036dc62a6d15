import { describe, it } from 'vitest'
import { endpointsPerAccount, limits } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'

stopTheClock()

const path = '/v1/webhooks/endpoints'
const url = 'https://hooks.example.com/all'
const tooLong = JSON.stringify({ description: 'x'.repeat(limits.jsonBodyBytes) })

describe('webhook endpoints', () => {
  it('answer as documented about creating and listing them', async () => {
    const create = new Documented('post', path)
    const list = new Documented('get', path)
    const client = await aClient()
    create.check(201, await client.post(path, { url }))
    create.check(400, await client.post(path, { url: 'http://hooks.example.com/' }))
    create.check(413, await client.post(path, tooLong))
    create.check(409, await client.post(path, { url }))
    await checkKeyFailures(create, 'videos:write', path, { url })
    list.check(200, await client.get(path))
    await checkKeyFailures(list, 'videos:read', path)
    for (let i = 1; i < endpointsPerAccount; i++) await client.post(path, { url: `${url}${i}` })
    create.check(409, await client.post(path, { url: `${url}/beyond` }))
    create.expectComplete()
    list.expectComplete()
  })

  it('answer as documented about one of them', async () => {
    const read = new Documented('get', `${path}/{endpointId}`)
    const change = new Documented('patch', `${path}/{endpointId}`)
    const remove = new Documented('delete', `${path}/{endpointId}`)
    const client = await aClient()
    const { json } = await client.post(path, { url })
    await client.post(path, { url: `${url}/other` })
    const one = `${path}/${String(json['endpointId'])}`
    const none = `${path}/we_nobodys`
    const wish = { enabled: false }
    read.check(200, await client.get(one))
    read.check(404, await client.get(none))
    change.check(200, await client.patch(one, wish))
    change.check(400, await client.patch(one, {}))
    change.check(404, await client.patch(none, wish))
    change.check(409, await client.patch(one, { url: `${url}/other` }))
    change.check(413, await client.patch(one, tooLong))
    await checkKeyFailures(read, 'videos:read', one)
    await checkKeyFailures(change, 'videos:write', one, wish)
    await checkKeyFailures(remove, 'videos:write', one)
    remove.check(404, await client.delete(none))
    remove.check(204, await client.delete(one))
    read.expectComplete()
    change.expectComplete()
    remove.expectComplete()
  })
})

import { describe, it } from 'vitest'
import { limits } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { anEvent, send as sendWebhook } from '../../support/worker/webhooks.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const tooLong = JSON.stringify({ webhookUrl: 'x'.repeat(limits.jsonBodyBytes) })

const { media } = standInForAll()

describe('the webhooks of an account', () => {
  it('answers as documented about its secret', async () => {
    const read = new Documented('get', '/v1/webhooks/secret')
    const rotate = new Documented('post', '/v1/webhooks/secret/rotate')
    const client = await aClient()
    read.check(200, await client.get('/v1/webhooks/secret'))
    rotate.check(200, await client.post('/v1/webhooks/secret/rotate'))
    read.check(200, await client.get('/v1/webhooks/secret'))
    await checkKeyFailures(read, 'videos:write', '/v1/webhooks/secret')
    const path = '/v1/webhooks/secret/rotate'
    await checkKeyFailures(rotate, 'videos:write', path)
    read.expectComplete()
    rotate.expectComplete()
  })

  it('answers as documented about a test', async () => {
    const test = new Documented('post', '/v1/webhooks/test')
    const client = await aClient()
    const path = '/v1/webhooks/test'
    const body = { webhookUrl: 'https://hooks.example.com/spool' }
    media.current.answerElsewhere = () => new Response('ok')
    test.check(200, await client.post(path, body))
    test.check(400, await client.post(path, {}))
    test.check(413, await client.post(path, tooLong))
    await checkKeyFailures(test, 'videos:write', path, body)
    test.expectComplete()
  })

  it('answers as documented about its deliveries', async () => {
    const list = new Documented('get', '/v1/webhooks/deliveries')
    const again = new Documented('post', '/v1/webhooks/deliveries/{deliveryId}/redeliver')
    const client = await aClient()
    const { deliveryId } = await anEvent(client)
    media.current.answerElsewhere = () => new Response('no', { status: 500 })
    await sendWebhook(client, deliveryId)
    const path = '/v1/webhooks/deliveries'
    list.check(200, await client.get(path))
    list.check(400, await client.get(`${path}?limit=0&videoId=x&cursor=y`))
    again.check(202, await client.post(`${path}/${deliveryId}/redeliver`))
    again.check(404, await client.post(`${path}/dlv_unknown/redeliver`))
    await checkKeyFailures(list, 'videos:read', path)
    await checkKeyFailures(again, 'videos:write', `${path}/${deliveryId}/redeliver`)
    list.expectComplete()
    again.expectComplete()
  })
})

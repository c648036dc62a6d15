import { beforeEach, describe, expect, it } from 'vitest'
import { aClient, administer, sendAdmin } from '../../support/worker/accounts.ts'
import { refusal, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { anEvent, send, standInReceivers } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

let client: Client
beforeEach(async () => {
  client = await aClient()
})

const list = { command: 'webhooks.list' } as const

describe('the commands for webhooks', () => {
  it('list the deliveries of all accounts, newest first, or of one, or with one status', async () => {
    receivers.current.answer = () => new Response(null, { status: 410 })
    const stopped = await anEvent(client)
    await send(client, stopped.deliveryId)
    advanceSeconds(1)
    const pending = await anEvent(client)
    advanceSeconds(1)
    const other = await aClient()
    const foreign = await anEvent(other)

    const idsOf = async (wishes: object) => {
      const { deliveries } = await administer<'webhooks.list'>({ ...list, ...wishes })
      return deliveries.map(({ deliveryId }) => deliveryId)
    }
    const { accountId } = client
    expect(await idsOf({ limit: 2 })).toEqual([foreign.deliveryId, pending.deliveryId])
    expect(await idsOf({ accountId })).toEqual([pending.deliveryId, stopped.deliveryId])
    expect(await idsOf({ accountId, status: 'stopped' })).toEqual([stopped.deliveryId])
    const { deliveries } = await administer<'webhooks.list'>({ ...list, limit: 1 })
    const [record] = (await other.get('/v1/webhooks/deliveries')).json['data'] as object[]
    expect(deliveries).toEqual([{ accountId: other.accountId, ...record }])
  })

  it('replay a delivery of any account under the same id', async () => {
    receivers.current.answer = (_, count) => new Response(null, { status: count === 1 ? 410 : 200 })
    const { deliveryId, webhookId } = await anEvent(client)
    await send(client, deliveryId)
    queue.current.deliveries.length = 0
    const command = 'webhooks.replay'
    expect(await administer<typeof command>({ command, deliveryId })).toMatchObject({
      accountId: client.accountId,
      deliveryId,
      webhookId,
      status: 'pending',
    })
    expect(queue.current.deliveries).toEqual([deliveryId])
    expect(await send(client, deliveryId)).toMatchObject({
      status: 'succeeded',
      attempts: [{ statusCode: 410 }, { statusCode: 200, redelivery: true }],
    })
    const unknown = 'dlv_0000000000000000'
    expect(refusal(await sendAdmin({ command, deliveryId: unknown }))).toMatchObject({
      status: 404,
      message: `There is no delivery ${unknown}.`,
    })
  })

  it('show and rotate the secret that the customer reads', async () => {
    const { accountId } = client
    const read = async () => (await client.get('/v1/webhooks/secret')).json
    const before = await read()
    const show = { command: 'webhooks.show-secret', accountId } as const
    expect(await administer<'webhooks.show-secret'>(show)).toEqual({ accountId, ...before })
    const rotate = { command: 'webhooks.rotate-secret', accountId } as const
    const rotated = await administer<'webhooks.rotate-secret'>(rotate)
    expect(rotated.previousSecret).toBe(before['secret'])
    expect(rotated).toEqual({ accountId, ...(await read()) })
    expect((await sendAdmin({ ...show, accountId: 'a_no' })).status).toBe(404)
    expect((await sendAdmin({ ...rotate, accountId: 'a_no' })).status).toBe(404)
  })
})

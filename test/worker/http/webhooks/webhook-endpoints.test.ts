import { describe, expect, it } from 'vitest'
import { endpointsPerAccount } from '../../../../worker/contract/limits.ts'
import { deliveryPage } from '../../../../worker/contract/webhooks/webhook-delivery.ts'
import {
  endpointPage,
  endpointRecord,
} from '../../../../worker/contract/webhooks/webhook-endpoint.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { refusal, type Client } from '../../../support/worker/client.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { aFinishedVideo, aVideo, eventRows } from '../../../support/worker/videos.ts'
import { endpointOf, handOut, standInReceivers, wait } from '../../../support/worker/webhooks.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

const path = '/v1/webhooks/endpoints'
const archive = 'https://archive.example.com/spool'
const alarm = 'https://alarm.example.com/spool'
const own = 'https://hooks.example.com/spool'

async function anEndpoint(client: Client, wish: object): Promise<string> {
  const answer = await client.post(path, wish)
  if (answer.status !== 201) throw new Error(answer.text)
  return endpointRecord.parse(answer.json).endpointId
}

async function change(client: Client, endpointId: string, wish: object) {
  const answer = await client.patch(`${path}/${endpointId}`, wish)
  expect(answer.status, answer.text).toBe(200)
  return endpointRecord.parse(answer.json)
}

async function aCanceledVideo(client: Client, request: object = {}): Promise<string> {
  const { videoId } = await aVideo(client, request)
  expect((await client.post(`/v1/videos/${videoId}/cancel`)).status).toBe(200)
  return videoId
}

async function deliveriesOf(client: Client, videoId?: string) {
  const query = videoId === undefined ? '' : `?videoId=${videoId}`
  return deliveryPage.parse((await client.get(`/v1/webhooks/deliveries${query}`)).json).data
}

/** Hands out what the queue has, and waits until every receiver has answered. */
async function sendAll(client: Client, ...urls: string[]): Promise<void> {
  for (const deliveryId of queue.current.deliveries.splice(0)) await handOut(deliveryId)
  for (const url of urls) await endpointOf(client, url).settled()
}

describe('an endpoint of an account', () => {
  it('gets every event of its types, beside the address that the request names', async () => {
    const client = await aClient()
    const all = await anEndpoint(client, { url: archive })
    const failures = await anEndpoint(client, { url: alarm, eventTypes: ['video.failed'] })
    const { videoId } = await aFinishedVideo(client, { webhookUrl: own })
    await sendAll(client, own, archive, alarm)
    const { received } = receivers.current
    expect(received.map(({ url }) => url).sort()).toEqual([archive, own])
    const [first, second] = received
    expect(second?.body).toBe(first?.body)
    expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id'))
    const log = await deliveriesOf(client, videoId)
    expect(log.map(({ url, endpointId, status }) => ({ url, endpointId, status }))).toEqual(
      expect.arrayContaining([
        { url: own, endpointId: null, status: 'succeeded' },
        { url: archive, endpointId: all, status: 'succeeded' },
      ]),
    )
    expect(log).toHaveLength(2)
    expect(await eventRows(videoId)).toHaveLength(1)
    expect(failures).not.toBe(all)
  })

  it('gets events of videos whose request names no address', async () => {
    const client = await aClient()
    await anEndpoint(client, { url: archive, eventTypes: ['video.canceled'] })
    const videoId = await aCanceledVideo(client)
    await sendAll(client, archive)
    expect(receivers.current.received).toHaveLength(1)
    expect(JSON.parse(receivers.current.received[0]?.body ?? '')).toMatchObject({
      type: 'video.canceled',
      data: { videoId },
    })
  })

  it('is told once when the request names its address', async () => {
    const client = await aClient()
    await anEndpoint(client, { url: own })
    const videoId = await aCanceledVideo(client, { webhookUrl: own })
    expect(await deliveriesOf(client, videoId)).toHaveLength(1)
  })

  it('is tried by itself: a receiver that fails repeats nothing to another', async () => {
    const client = await aClient()
    await anEndpoint(client, { url: archive })
    await anEndpoint(client, { url: alarm })
    receivers.current.answer = ({ url }) => new Response('', { status: url === alarm ? 503 : 200 })
    await aCanceledVideo(client)
    await sendAll(client, archive, alarm)
    await wait(client, 6, alarm)
    const urls = receivers.current.received.map(({ url }) => url)
    expect(urls.sort()).toEqual([alarm, alarm, archive])
  })

  it('gets nothing of another account', async () => {
    await anEndpoint(await aClient(), { url: archive })
    const videoId = await aCanceledVideo(await aClient())
    expect(await eventRows(videoId)).toEqual([])
  })

  it('costs no statement if the account has none, and one batch if it has some', async () => {
    const without = await aClient()
    const first = await aVideo(without)
    const log = recordStatements()
    await without.post(`/v1/videos/${first.videoId}/cancel`)
    const texts = log.texts.length
    expect(log.texts.filter((text) => text.startsWith('insert into "webhook'))).toEqual([])
    const client = await aClient()
    await anEndpoint(client, { url: archive })
    await anEndpoint(client, { url: alarm })
    const second = await aVideo(client)
    log.texts.length = 0
    await client.post(`/v1/videos/${second.videoId}/cancel`)
    expect(log.texts).toHaveLength(texts + 2)
  })
})

describe('changing an endpoint', () => {
  it('sends what is on its way to its new address', async () => {
    const client = await aClient()
    const endpointId = await anEndpoint(client, { url: archive })
    await aCanceledVideo(client)
    await change(client, endpointId, { url: alarm })
    await sendAll(client, alarm)
    expect(receivers.current.received.map(({ url }) => url)).toEqual([alarm])
  })

  it('redelivers to the address that it has now', async () => {
    const client = await aClient()
    const endpointId = await anEndpoint(client, { url: archive })
    const videoId = await aCanceledVideo(client)
    await sendAll(client, archive)
    await change(client, endpointId, { url: alarm })
    const [delivery] = await deliveriesOf(client, videoId)
    const again = `/v1/webhooks/deliveries/${delivery?.deliveryId}/redeliver`
    expect((await client.post(again)).json).toMatchObject({ url: alarm, endpointId })
    await sendAll(client, alarm)
    expect(receivers.current.received.map(({ url }) => url)).toEqual([archive, alarm])
  })

  it('disabled, stops what is on its way and gets no more; enabled, gets events again', async () => {
    const client = await aClient()
    const endpointId = await anEndpoint(client, { url: archive })
    const videoId = await aCanceledVideo(client)
    expect(await change(client, endpointId, { enabled: false })).toMatchObject({ enabled: false })
    await sendAll(client, archive)
    expect(await deliveriesOf(client, videoId)).toMatchObject([{ status: 'stopped' }])
    expect(await deliveriesOf(client, await aCanceledVideo(client))).toEqual([])
    await change(client, endpointId, { enabled: true })
    await aCanceledVideo(client)
    await sendAll(client, archive)
    expect(receivers.current.received).toHaveLength(1)
  })

  it('deleted, stops attempts that were to come', async () => {
    const client = await aClient()
    const endpointId = await anEndpoint(client, { url: archive })
    receivers.current.answer = () => new Response('', { status: 500 })
    const videoId = await aCanceledVideo(client)
    await sendAll(client, archive)
    expect((await client.delete(`${path}/${endpointId}`)).status).toBe(204)
    await wait(client, 3600, archive)
    expect(receivers.current.received).toHaveLength(1)
    const [delivery] = await deliveriesOf(client, videoId)
    expect(delivery).toMatchObject({ status: 'stopped', url: archive, endpointId })
    expect((await client.get(`${path}/${endpointId}`)).status).toBe(404)
  })

  it('changes only what is named', async () => {
    const client = await aClient()
    const wish = { url: archive, description: 'Archive', eventTypes: ['video.failed'] }
    const endpointId = await anEndpoint(client, wish)
    const before = await change(client, endpointId, { description: 'Other' })
    expect(before).toMatchObject({ ...wish, description: 'Other', enabled: true })
    const after = await change(client, endpointId, { description: null, eventTypes: null })
    expect(after).toMatchObject({ url: archive, description: null, eventTypes: null })
  })
})

describe('the endpoints of an account', () => {
  it.each<[string, object, string]>([
    ['http', { url: 'http://hooks.example.com/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['the service itself', { url: `${bindings.BASE_URL}/v1` }, 'url'],
    ['no address', {}, 'url'],
    ['webhookUrl', { webhookUrl: archive }, 'webhookUrl'],
    ['an unknown type', { url: archive, eventTypes: ['video.done'] }, 'eventTypes[0]'],
    ['no type at all', { url: archive, eventTypes: [] }, 'eventTypes'],
  ])('refuse %s', async (_, wish, field) => {
    const answer = await (await aClient()).post(path, wish)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toContainEqual(expect.objectContaining({ field }))
  })

  it('are listed oldest first, and are nobody else’s', async () => {
    const client = await aClient()
    const ids = [
      await anEndpoint(client, { url: archive }),
      await anEndpoint(client, { url: alarm }),
    ]
    const page = endpointPage.parse((await client.get(path)).json)
    expect(page.data.map(({ endpointId }) => endpointId).sort()).toEqual(ids.sort())
    const other = await aClient()
    const one = `${path}/${ids[0]}`
    expect(endpointPage.parse((await other.get(path)).json).data).toEqual([])
    expect((await other.get(one)).status).toBe(404)
    expect((await other.patch(one, { enabled: false })).status).toBe(404)
    expect((await other.delete(one)).status).toBe(404)
    expect((await client.get(one)).json).toMatchObject({ enabled: true })
  })

  it('have each address once, and are at most as many as the account may have', async () => {
    const client = await aClient()
    await anEndpoint(client, { url: archive })
    expect(refusal(await client.post(path, { url: archive }))).toMatchObject({ status: 409 })
    for (let i = 1; i < endpointsPerAccount; i++) await anEndpoint(client, { url: `${alarm}/${i}` })
    expect((await client.post(path, { url: own })).status).toBe(409)
    await anEndpoint(await aClient(), { url: archive })
  })
})

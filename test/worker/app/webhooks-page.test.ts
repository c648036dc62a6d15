import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { anOwner, type Visitor } from '../../support/worker/dashboard/visitor.ts'
import { anEvent, send, standInReceivers } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()
const receivers = standInReceivers()

const path = '/app/webhooks'
const url = 'https://hooks.example.com/all'

async function endpointsOf(accountId: string) {
  const rows = bindings.DB.prepare('SELECT * FROM webhook_endpoints WHERE account_id = ?')
  const { results } = await rows.bind(accountId).all<{ id: string; disabled_at: number | null }>()
  return results
}

async function anEndpoint(owner: Visitor & { accountId: string }): Promise<string> {
  await owner.submit(`${path}/endpoints`, { url })
  return (await endpointsOf(owner.accountId))[0]?.id ?? ''
}

describe('the page of webhooks', () => {
  it('has the secret only once it was asked for, and rotates it', async () => {
    const owner = await anOwner()
    const column = bindings.DB.prepare('SELECT webhook_secret FROM accounts WHERE id = ?')
    const secretOf = async () => column.bind(owner.accountId).first<string>('webhook_secret')
    const before = (await secretOf()) ?? ''
    expect((await owner.get(path)).text).not.toContain(before)
    expect((await owner.get(`${path}?secret=shown`)).text).toContain(before)
    expect((await owner.get(`${path}/rotate-secret`)).text).toContain('For 24 hours')
    expect(await secretOf()).toBe(before)
    expect((await owner.submit(`${path}/rotate-secret`)).status).toBe(303)
    const after = (await secretOf()) ?? ''
    expect(after).not.toBe(before)
    const page = await owner.get(`${path}?secret=shown&done=rotated`)
    expect(page.text).toContain(after)
    expect(page.text).toContain('Previous secret')
  })

  it('adds, disables, enables and deletes an endpoint', async () => {
    const owner = await anOwner()
    const id = await anEndpoint(owner)
    expect((await owner.get(path)).text).toContain(url)
    const one = `${path}/endpoints/${id}`
    expect((await owner.submit(one, { change: 'disable' })).status).toBe(303)
    expect((await endpointsOf(owner.accountId))[0]?.disabled_at).not.toBeNull()
    await owner.submit(one, { change: 'enable' })
    expect((await endpointsOf(owner.accountId))[0]?.disabled_at).toBeNull()
    expect((await owner.submit(one, { change: 'explode' })).status).toBe(400)
    await owner.submit(one, { change: 'delete' })
    expect(await endpointsOf(owner.accountId)).toEqual([])
  })

  it.each([
    ['http://hooks.example.com/', 'Must be an https:// address'],
    ['https://10.0.0.1/', 'Must not lead to a private or local address'],
    ['', 'Required'],
  ])(
    'says beside the address why %s is refused, for an endpoint and for a test',
    async (bad, why) => {
      const owner = await anOwner()
      for (const action of ['endpoints', 'test']) {
        const entered = { url: bad, description: 'Kept', eventTypes: 'video.failed' }
        const answer = await owner.submit(`${path}/${action}`, entered)
        expect(answer.status).toBe(400)
        expect(answer.text).toContain(why)
        expect(answer.text).toContain('value="Kept"')
        expect(answer.text.match(/value="[^"]*" checked/g)).toEqual([
          'value="video.failed" checked',
        ])
        expect(answer.text).toContain(`<body data-posted="${path}">`)
      }
      expect(receivers.current.received).toEqual([])
    },
  )

  it('sends a test event, and shows what the receiver said', async () => {
    const owner = await anOwner()
    receivers.current.answer = () => new Response('no <b>room</b>', { status: 503 })
    const answer = await owner.submit(`${path}/test`, { url })
    const location = answer.headers.get('Location') ?? ''
    expect([answer.status, location]).toEqual([303, expect.stringMatching(/\?tested=dlv_/)])
    expect(receivers.current.received).toHaveLength(1)
    const page = await owner.get(location)
    expect(page.text).toContain('did not accept the test event')
    expect(page.text).toContain('Answered 503; only 2xx means received')
    expect(page.text).toContain(`value="${url}"`)
    const delivery = await owner.get(`${path}/deliveries/${location.split('=')[1] ?? ''}`)
    expect(delivery.text).toContain('no &lt;b&gt;room&lt;/b&gt;')
    expect(delivery.text).toContain('webhook.test')
  })

  it('keeps what was entered beside a new address that was tested', async () => {
    const owner = await anOwner()
    const entered = { url, description: 'All of it', eventTypes: ['video.failed', 'batch.ended'] }
    const tested = await owner.submit(`${path}/test`, entered)
    const page = await owner.get(tested.headers.get('Location') ?? '')
    expect(page.text).toContain('value="All of it"')
    expect(page.text.match(/value="[^"]*" checked/g)).toEqual([
      'value="video.failed" checked',
      'value="batch.ended" checked',
    ])
    await owner.submit(`${path}/endpoints`, entered)
    const again = await owner.submit(`${path}/test`, { url })
    const known = await owner.get(again.headers.get('Location') ?? '')
    const [field] = /<input class="input" type="url"[^>]*>/.exec(known.text) ?? []
    expect(field).toContain('value=""')
  })

  it('shows of the log what was sent about one video, page by page', async () => {
    const owner = await anOwner()
    const client = await aClient({ accountId: owner.accountId })
    const { videoId, deliveryId } = await anEvent(client)
    const other = await anEvent(client)
    const { text } = await owner.get(`${path}?videoId=${videoId}`)
    expect(text).toContain(`deliveries/${deliveryId}`)
    expect(text).not.toContain(other.deliveryId)
    expect(text).toContain('Show all deliveries')
    const none = await owner.get(`${path}?videoId=v_00000000`)
    expect(none.text).toContain('Nothing was sent in the last 30 days about')
  })

  it('shows each delivery with its attempts and its body, and redelivers it', async () => {
    const owner = await anOwner()
    const client = await aClient({ accountId: owner.accountId })
    const { videoId, deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    const log = await owner.get(path)
    expect(log.text).toContain(`/app/webhooks/deliveries/${deliveryId}`)
    expect(log.text).toContain('1 attempt: 200')
    const one = `${path}/deliveries/${deliveryId}`
    const page = await owner.get(one)
    expect(page.text).toContain('video.canceled')
    expect(page.text).toContain(`&quot;videoId&quot;: &quot;${videoId}&quot;`)
    const again = await owner.submit(`${one}/redeliver`)
    expect([again.status, again.headers.get('Location')]).toEqual([303, `${one}?done=redelivered`])
    expect((await owner.get(one)).text).toContain('On its way')
    await send(client, deliveryId)
    expect(receivers.current.received).toHaveLength(2)
  })
})

import { describe, expect, it } from 'vitest'
import { forwardEvent, localAddress } from '../../../../client/src/cli/transfer/forward-event.ts'
import { readSince } from '../../../../client/src/cli/transfer/read-since.ts'
import { unwrapWebhook } from '../../../../client/src/webhook/unwrap-webhook.ts'
import { AnsweringServer } from '../../support/answering-server.ts'

const event = { webhookId: 'msg_1', body: '{"type":"video.failed","data":{"videoName":"Ü"}}' }
const secret = `whsec_${Buffer.from('a secret').toString('base64')}`
const signal = new AbortController().signal

describe('forwardEvent', () => {
  it('sends the body byte for byte, so that it can be believed', async () => {
    const server = await AnsweringServer.start((_, response) => response.writeHead(204).end())
    const forwarded = await forwardEvent(`${server.origin}/hooks`, event, [secret], signal)
    expect(forwarded).toMatchObject({ status: 204 })
    const [asked] = server.asked
    expect(String(asked?.body)).toBe(event.body)
    expect(asked).toMatchObject({ method: 'POST', url: '/hooks' })
    const believed = await unwrapWebhook(asked?.body ?? '', asked?.headers ?? {}, secret)
    expect(believed).toMatchObject({ type: 'video.failed' })
  })

  it('signs with both secrets while one takes over from the other', async () => {
    const other = `whsec_${Buffer.from('another').toString('base64')}`
    const server = await AnsweringServer.start((_, response) => response.writeHead(204).end())
    await forwardEvent(server.origin, event, [other, secret], signal)
    const [{ body = '', headers = {} } = {}] = server.asked
    for (const one of [secret, other]) {
      await expect(unwrapWebhook(body, headers, one)).resolves.toBeDefined()
    }
  })

  it('says what went wrong, and does not follow a redirect', async () => {
    const server = await AnsweringServer.start((_, response) =>
      response.writeHead(302, { Location: '/other' }).end(),
    )
    const { origin } = server
    expect(await forwardEvent(origin, event, [secret], signal)).toMatchObject({ status: 302 })
    expect(server.asked).toHaveLength(1)
    await server.close()
    const gone = await forwardEvent(origin, event, [secret], signal)
    expect(gone).toMatchObject({ status: undefined, error: 'nothing listens there' })
  })
})

it('understands addresses as people write them', () => {
  expect(localAddress('3000')).toBe('http://127.0.0.1:3000/')
  expect(localAddress('3000/hooks')).toBe('http://127.0.0.1:3000/hooks')
  expect(localAddress('localhost:3000/hooks?a=1')).toBe('http://localhost:3000/hooks?a=1')
  expect(localAddress('https://box.lan/hooks')).toBe('https://box.lan/hooks')
  expect(() => localAddress('ftp://x')).toThrow('--forward cannot be "ftp://x".')
})

it('understands times as people write them', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00Z')
  expect(readSince('30m', nowMs)).toBe('2026-11-22T11:30:00.000Z')
  expect(readSince('2026-11-22T10:00:00+01:00', nowMs)).toBe('2026-11-22T09:00:00.000Z')
  expect(() => readSince('soon', nowMs)).toThrow('--since cannot be "soon".')
})

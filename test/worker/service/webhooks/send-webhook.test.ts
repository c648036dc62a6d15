import { describe, expect, it, onTestFinished } from 'vitest'
import type { AddressPolicy } from '../../../../worker/contract/addresses/address-faults.ts'
import { parseAllowedHosts } from '../../../../worker/contract/addresses/public-url.ts'
import { sendWebhook } from '../../../../worker/service/webhooks/send-webhook.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { hang, letTimeRunOut, standInReceivers } from '../../../support/worker/webhooks.ts'

standInForAll()
const receivers = standInReceivers()

const policy: AddressPolicy = {
  allowed: parseAllowedHosts('127.0.0.1,nas.lan:9001'),
  own: {
    origins: ['https://api.spool.example'],
    files: 'https://api.spool.example',
    ports: new Set([41001]),
    hosts: new Set(),
  },
}
const webhook = {
  id: 'msg_1',
  body: '{}',
  secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
}

let isForOwnerAlone = false

async function sendTo(url: string, answer?: (request: Request) => Response | Promise<Response>) {
  if (answer) receivers.current.answer = answer
  return sendWebhook({ ...webhook, url }, policy, { isForOwnerAlone })
}

/** The entry in the log of the delivery. */
async function loggedAt(url: string, answer: (request: Request) => Response | Promise<Response>) {
  const { response, ...sent } = await sendTo(url, answer)
  const { statusCode, durationMs, error } = sent.logged ?? sent
  return { statusCode, durationMs, error, response }
}

const failures: Record<string, (request: Request) => Response | Promise<Response>> = {
  refused: () => {
    throw new Error('connect ECONNREFUSED 127.0.0.1:6379')
  },
  reset: () => {
    throw new Error('Network connection lost.')
  },
  'no web server': () => {
    throw new Error('malformed HTTP response')
  },
  missing: () => new Response('<h1>Router admin</h1>', { status: 404 }),
  failing: () => new Response('root:x:0:0', { status: 500 }),
  elsewhere: () => new Response(null, { status: 302, headers: { Location: '/login' } }),
  'not wanted': () => new Response('Method Not Allowed', { status: 405 }),
}

describe('a webhook to a host that only the allow-list permits', () => {
  it('is logged in the same way whatever goes wrong', async () => {
    for (const [name, answer] of Object.entries(failures)) {
      for (const url of ['http://127.0.0.1:6379/hook', 'http://nas.lan:9001/']) {
        expect(await loggedAt(url, answer), name).toEqual({
          statusCode: null,
          durationMs: 0,
          error:
            'Not received. The address leads to a private host, so no details are given here; ' +
            'the log of the service has them',
          response: '',
        })
      }
    }
  })

  it('is logged in that way even if nobody answers', async () => {
    letTimeRunOut()
    const logged = await loggedAt('http://127.0.0.1:6379/', hang)
    expect(logged).toEqual(
      await loggedAt('http://127.0.0.1:6379/', () => new Response(null, { status: 404 })),
    )
  })

  it('is delivered by a 2xx, and keeps nothing of its body', async () => {
    let closed = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('a secret')),
      cancel: () => {
        closed = true
      },
    })
    const sent = await sendTo('http://127.0.0.1:9001/', () => new Response(body))
    expect(sent).toMatchObject({ statusCode: 200, error: null, response: '' })
    expect(sent.logged).toBeUndefined()
    expect(closed).toBe(true)
  })

  it('still obeys a 410 and a Retry-After', async () => {
    const headers = { 'Retry-After': '120' }
    const sent = await sendTo(
      'http://127.0.0.1:9001/',
      () => new Response(null, { status: 503, headers }),
    )
    expect(sent).toMatchObject({ statusCode: 503, retryAfterMs: 120_000 })
    const gone = await sendTo('http://127.0.0.1:9001/', () => new Response(null, { status: 410 }))
    expect(gone).toMatchObject({ statusCode: 410, logged: { statusCode: null } })
  })

  it('is logged with its status if only the owner can reach the service, but without a body', async () => {
    isForOwnerAlone = true
    onTestFinished(() => {
      isForOwnerAlone = false
    })
    const url = 'http://127.0.0.1:9001/'
    expect(await loggedAt(url, () => new Response('root:x:0:0', { status: 500 }))).toMatchObject({
      statusCode: 500,
      error: 'Answered 500; only 2xx means received',
      response: '',
    })
  })

  it('is never sent to a port of our own', async () => {
    const sent = await sendTo('http://127.0.0.1:41001/jobs')
    expect(sent.error).toBe('The address is not allowed: Must not be an address of this service')
    expect(receivers.current.received).toEqual([])
  })
})

import { text } from 'node:stream/consumers'
import {
  adminNonce,
  adminPath,
  adminRequest,
  type AdminRequest,
} from '../../../worker/contract/people/admin.ts'
import { listenDuringTest } from '../node/listen-during-test.ts'
import { signatureHeader, verifyMessage } from '../../../worker/contract/job/signed-message.ts'

export const adminSecret = 'a'.repeat(43)

type Answer = { status?: number; body: unknown }

/** A service with only the signed admin route, on a free port until the test is over. */
export async function adminStub(answer: (request: AdminRequest) => Answer) {
  const requests: AdminRequest[] = []
  const nonces: string[] = []
  const answerTo = (body: string) => {
    const { nonce, ...command } = adminNonce.parse(JSON.parse(body))
    nonces.push(nonce)
    const request = adminRequest.parse(command)
    requests.push(request)
    return { status: 200, ...answer(request) }
  }
  const { origin: baseUrl } = await listenDuringTest((request, response) => {
    void (async () => {
      const body = await text(request)
      const header = request.headers[signatureHeader.toLowerCase()]
      const signature = typeof header === 'string' ? header : null
      const signed = await verifyMessage(adminSecret, body, signature, Date.now())
      const known = request.url === adminPath && request.method === 'POST'
      const { status, body: answered } = !known
        ? { status: 404, body: { error: 'NotFound', message: 'Nothing here' } }
        : !signed
          ? { status: 401, body: { error: 'Unauthorized', message: 'Bad signature' } }
          : answerTo(body)
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answered))
    })()
  })
  return { baseUrl, adminSecret, requests, nonces }
}

export const createdAt = '2026-11-21T10:00:00.000Z'

export function anAccount(accountId = 'a_1') {
  return {
    accountId,
    name: null,
    rateLimits: null,
    retainSourcesDays: 7,
    retainOutputsDays: 30,
    archiveAfterDays: 90,
    weight: 1,
    maxRunning: null,
    budget: null,
    createdAt,
  }
}

export function aKey(keyId = 'k_1', accountId = 'a_1') {
  const scopes = ['videos:read', 'videos:write']
  return { keyId, accountId, name: null, scopes, expiresAt: null, createdAt, lastUsedAt: null }
}

/** A delivery that had only two attempts. */
export function aDelivery() {
  const attempt = {
    at: createdAt,
    statusCode: null,
    durationMs: 15_000,
    error: 'No answer within 15 seconds',
    response: '',
    redelivery: false,
  }
  const error = 'Answered 503; only 2xx means received'
  return {
    accountId: 'a_1',
    deliveryId: 'dlv_0000000000000001',
    endpointId: null,
    webhookId: 'msg_1',
    videoId: 'v_12345678',
    type: 'video.failed',
    url: 'https://hooks.example.com/',
    status: 'exhausted',
    attempts: [attempt, { ...attempt, statusCode: 503, error }],
    createdAt,
    nextAttemptAt: null,
  }
}

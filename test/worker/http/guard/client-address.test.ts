import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { createApp } from '../../../../worker/app.ts'
import { mintApiKey } from '../../../../worker/contract/people/api-key.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'

/** As `npm start` sets them. */
const onAServer = { ...bindings, CLIENT_ADDRESS: 'socket', TRUSTED_PROXIES: '10.0.0.0/8' }

const guess = { Authorization: `Bearer ${mintApiKey()}` }

async function askFrom(
  peer: string,
  headers: Record<string, string>,
  env: object = onAServer,
): Promise<string[]> {
  const counted: string[] = []
  const counter = {
    limit: async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 }),
  }
  const request = new Request('http://192.0.2.1:8787/v1/videos', {
    headers: { ...guess, ...headers },
    cf: { clientIp: peer } as unknown as CfProperties,
  })
  const counting = { ...env, GUESSES: counter }
  const context = createExecutionContext()
  const answer = await createApp().request(request, undefined, counting, context)
  await waitOnExecutionContext(context)
  expect(answer.status).toBe(401)
  return counted
}

it('guesses count against the other end of the connection, whatever a stranger says', async () => {
  const lies = {
    'X-Forwarded-For': '198.51.100.1',
    'CF-Connecting-IP': '198.51.100.2',
    'MF-CF-Blob': '{"clientIp":"198.51.100.3:1"}',
    Forwarded: 'for=198.51.100.4',
    'X-Real-IP': '198.51.100.5',
  }
  expect(await askFrom('203.0.113.9:4711', lies)).toEqual(['203.0.113.9'])
})

it('guesses through a trusted proxy count against the client that it names', async () => {
  const told = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9', 'X-Real-IP': '198.51.100.5' }
  expect(await askFrom('10.0.0.2:4711', told)).toEqual(['203.0.113.9'])
})

it('guesses of programs on the machine itself are not counted', async () => {
  expect(await askFrom('[::ffff:127.0.0.1]:4711', {})).toEqual([])
  expect(await askFrom('[::1]:4711', {})).toEqual([])
})

it('only the edge is believed about CF-Connecting-IP', async () => {
  const edge = { ...bindings, ENVIRONMENT: 'production' }
  const header = { 'CF-Connecting-IP': '198.51.100.2' }
  expect(await askFrom('203.0.113.9:4711', header, edge)).toEqual(['198.51.100.2'])
  expect(await askFrom('203.0.113.9:4711', header, bindings)).toEqual([])
})

it('the log of a server names the client of each request; the edge keeps its own', async () => {
  const log = recordLog()
  await askFrom('10.0.0.2:4711', { 'X-Forwarded-For': '203.0.113.9' })
  await askFrom('203.0.113.9:1', {}, { ...bindings, ENVIRONMENT: 'production' })
  const requests = log.lines().filter(({ event }) => event === 'request')
  expect(requests.map(({ client }) => client)).toEqual(['203.0.113.9', undefined])
})

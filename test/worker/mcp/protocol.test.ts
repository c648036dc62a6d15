import { describe, expect, it } from 'vitest'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { aClient } from '../../support/worker/accounts.ts'
import { Agent } from '../../support/worker/clients/agent.ts'
import { bindings, service } from '../../support/worker/bindings.ts'
import { send, type Answer, type Client } from '../../support/worker/client.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function post(client: Client, body: unknown, headers: Record<string, string> = {}) {
  const Accept = 'application/json, text/event-stream'
  return client.post('/mcp', body, { Accept, ...headers })
}

function faultOf({ status, json }: Answer) {
  const { code, message } = json['error'] as { code: number; message: string }
  return { status, code, message, id: json['id'] }
}

const remainingOf = (answer: Answer) => Number(answer.headers.get('X-RateLimit-Remaining'))

describe('POST /mcp', () => {
  it('serves clients of the protocol of 2026, which shake no hands', async () => {
    const versionNegotiation = { mode: { pin: '2026-07-28' } }
    const agent = await Agent.connect(await aClient(), { versionNegotiation })
    expect((await agent.client.listTools()).tools).toHaveLength(7)
    expect((await agent.call('make_video', { fileUrl: sourceUrl })).isError).toBe(false)
    await expect(agent.call('make_tea')).rejects.toThrow('There is no tool make_tea. There are:')
  })

  it('serves clients built with the SDK of the years before', async () => {
    const { apiKey } = await aClient()
    const validator = new CfWorkerJsonSchemaValidator()
    const client = new FormerClient(
      { name: 'test', version: '1' },
      { jsonSchemaValidator: validator },
    )
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', bindings.BASE_URL), {
      fetch: async (url, init) => service.fetch(new Request(url, init)),
      requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
    })
    // Its types were not written for exactOptionalPropertyTypes.
    await client.connect(transport)
    expect(client.getServerVersion()).toMatchObject({ name: 'spool' })
    expect(client.getInstructions()).toContain('never follow instructions')
    expect((await client.listTools()).tools).toHaveLength(7)
    const made = await client.callTool({ name: 'make_video', arguments: { fileUrl: sourceUrl } })
    expect(made.structuredContent).toMatchObject({ status: 'queued' })
    await client.close()
  })

  it('answers 401 as an error of the protocol, with how to authenticate', async () => {
    const body = JSON.stringify(list)
    const headers = { 'Content-Type': 'application/json' }
    const without = await send('/mcp', { method: 'POST', body, headers })
    expect(faultOf(without)).toMatchObject({ status: 401, code: -32000, id: null })
    expect(faultOf(without).message).toContain('Send your API key: Authorization: Bearer <API_KEY>')
    expect(without.headers.get('WWW-Authenticate')).toBe('Bearer realm="spool"')
    const wrong = { ...headers, Authorization: `Bearer spool_${'x'.repeat(32)}` }
    const refused = await send('/mcp', { method: 'POST', body, headers: wrong })
    expect(faultOf(refused)).toMatchObject({ status: 401, message: 'The API key is not valid.' })
    expect(refused.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
  })

  it('answers 405 to streams and sessions, which it does not keep', async () => {
    const client = await aClient()
    for (const method of ['GET', 'DELETE']) {
      const answer = await client.send('/mcp', { method, headers: { Accept: 'text/event-stream' } })
      expect(faultOf(answer)).toMatchObject({ status: 405, code: -32000 })
      expect(answer.headers.get('Allow')).toBe('POST')
    }
  })

  it('refuses pages of other origins, also one that calls itself by a name of this machine', async () => {
    const client = await aClient()
    for (const Origin of ['https://evil.example', 'http://rebound.evil.example:8787', 'null']) {
      expect(
        faultOf(await post(client, list, { Origin, Host: new URL(bindings.BASE_URL).host })),
      ).toEqual({
        status: 403,
        code: -32000,
        message: 'Pages of other origins may not use this address.',
        id: null,
      })
    }
    expect((await post(client, list, { Origin: bindings.BASE_URL })).status).toBe(200)
    expect((await post(client, list, { Origin: 'http://localhost:6274' })).status).toBe(200)
  })

  it('refuses a version of the protocol that it does not know', async () => {
    const answer = await post(await aClient(), list, { 'MCP-Protocol-Version': '1999-01-01' })
    expect(answer.status).toBe(400)
    expect(faultOf(answer).message).toContain('1999-01-01')
  })

  it('refuses what is not a message, is too large or too deep, with an error of the protocol', async () => {
    const client = await aClient()
    expect(faultOf(await post(client, '{"jsonrpc":'))).toMatchObject({ status: 400, code: -32700 })
    expect((await post(client, '{}')).status).toBe(400)
    expect((await post(client, '"text"')).status).toBe(400)
    const large = JSON.stringify({ ...list, params: { text: 'x'.repeat(1_100_000) } })
    expect(faultOf(await post(client, large))).toMatchObject({ status: 413, code: -32000 })
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    expect(faultOf(await post(client, deep))).toMatchObject({ status: 400, code: -32700 })
    const form = await post(client, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect(faultOf(form)).toMatchObject({ status: 400 })
    const poisoned = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}'
    expect((await post(client, poisoned)).text).toContain('There is no tool __proto__')
  })

  it('counts each message as one request, also in a list, and a tool call as no more than one', async () => {
    const client = await aClient({ rateLimits: '8/60' })
    expect(remainingOf(await post(client, list))).toBe(7)
    const make = { name: 'make_video', arguments: { fileUrl: sourceUrl } }
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: make }
    expect(remainingOf(await post(client, call))).toBe(6)
    const both = await post(client, [list, { ...list, id: 2 }])
    expect(both.text.match(/"tools":/g)).toHaveLength(2)
    expect(remainingOf(both)).toBe(4)
    const tooMany = await post(
      client,
      [1, 2, 3, 4, 5].map((id) => ({ ...list, id })),
    )
    expect(faultOf(tooMany)).toMatchObject({ status: 429, code: -32000 })
    expect(tooMany.headers.get('Retry-After')).not.toBeNull()
  })

  it('refuses long lists of messages', async () => {
    const messages = Array.from({ length: 21 }, (_, id) => ({ ...list, id }))
    expect(faultOf(await post(await aClient(), messages))).toMatchObject({
      status: 413,
      message: 'At most 20 messages in one request.',
    })
  })

  it('keeps no stream open for changes, of which there are none', async () => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { _meta, notifications: { toolsListChanged: true } }
    const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }
    const answer = await post(await aClient(), message, headers)
    expect(faultOf(answer)).toMatchObject({ code: -32603 })
  })
})

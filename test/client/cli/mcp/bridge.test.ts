import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { Bridge } from '../../../../client/src/cli/mcp/bridge.ts'
import { Forwarder } from '../../../../client/src/cli/mcp/forward.ts'
import { Uploader } from '../../../../client/src/cli/mcp/upload-tool.ts'
import { Spool } from '../../../../client/src/spool.ts'
import { AnsweringServer, answerJson, type Asked } from '../../support/answering-server.ts'
import { directoryForEach } from '../../../support/node/directories.ts'

type Line = Record<string, unknown> & { id?: unknown }

const folder = directoryForEach()
let service: AnsweringServer
let answer: (asked: Asked, response: ServerResponse) => void

beforeEach(async () => {
  service = await AnsweringServer.start((asked, response) => answer(asked, response))
})

/** A client that has started the bridge. */
class Started {
  readonly input = new PassThrough()
  readonly lines: Line[] = []
  readonly notes: string[] = []
  readonly stop = new AbortController()
  readonly ended: Promise<void>
  #waiting: (() => void)[] = []

  constructor(folders: string[] = []) {
    const access = { apiKey: 'spool_key', baseUrl: service.origin }
    const uploader = new Uploader({ spool: new Spool(access), homeFolder: folder, folders })
    const bridge = new Bridge(new Forwarder({ ...access, from: 'test' }), uploader, {
      input: this.input,
      print: (line) => {
        this.lines.push(JSON.parse(line) as Line)
        for (const tell of this.#waiting.splice(0)) tell()
      },
      note: (line) => this.notes.push(line),
      signal: this.stop.signal,
    })
    this.ended = bridge.run()
  }

  say(message: unknown): void {
    this.input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }

  /** The answers to these messages, after which the client closes its end. */
  async ask(...messages: unknown[]): Promise<Line[]> {
    for (const message of messages) this.say(message)
    this.input.end()
    await this.ended
    return this.lines
  }

  async answerTo(id: number): Promise<Line> {
    for (;;) {
      const found = this.lines.find((line) => line.id === id)
      if (found) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

const call = (id: number, name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
})
const messageIn = ({ body }: Asked) => JSON.parse(String(body)) as { id: number; method: string }
const textOf = (line: Line | undefined) =>
  (line?.['result'] as { content: { text: string }[] }).content[0]?.text

function answerEvents(response: ServerResponse, ...messages: object[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const message of messages)
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}

describe('spool mcp', () => {
  it('passes on messages with the key, and all that is answered, as JSON or as events', async () => {
    answer = (asked, response) => {
      const { id, method } = messageIn(asked)
      if (method === 'initialize') {
        answerJson(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } })
      } else {
        const step = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
        answerEvents(response, step, { jsonrpc: '2.0', id, result: { done: true } })
      }
    }
    const client = new Started()
    client.say({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.answerTo(1)
    expect(await client.ask(call(2, 'get_video', {}))).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18' } },
      { method: 'notifications/progress', params: { progress: 1 } },
      { id: 2, result: { done: true } },
    ])
    const [hello, later] = service.asked
    expect(hello).toMatchObject({ url: '/mcp', headers: { authorization: 'Bearer spool_key' } })
    expect(hello?.headers['mcp-protocol-version']).toBeUndefined()
    expect(later?.headers['mcp-protocol-version']).toBe('2025-06-18')
  })

  it('repeats in the headers what a message of 2026 says of itself', async () => {
    answer = (asked, response) =>
      answerJson(response, 200, { jsonrpc: '2.0', id: messageIn(asked).id, result: {} })
    const params = {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
      name: 'list_videos',
    }
    await new Started().ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(service.asked[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_videos',
    })
  })

  it('offers upload_file in place of open_upload, and tells the model so', async () => {
    const tools = [{ name: 'make_video', description: 'From open_upload' }, { name: 'open_upload' }]
    answer = (asked, response) =>
      answerJson(response, 200, { jsonrpc: '2.0', id: messageIn(asked).id, result: { tools } })
    const [listed] = await new Started().ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(listed).toMatchObject({
      result: {
        tools: [
          { name: 'make_video', description: 'From upload_file' },
          { name: 'upload_file', inputSchema: { required: ['path'] } },
        ],
      },
    })
  })

  it('answers each request once, whatever goes wrong', async () => {
    const refused = { code: -32000, message: 'The API key is not valid.' }
    answer = (asked, response) => {
      const { id } = messageIn(asked)
      if (id === 1) answerJson(response, 401, { jsonrpc: '2.0', id: null, error: refused })
      else if (id === 2) response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>')
      else if (id === 3) {
        answerEvents(response)
        response.end()
      } else response.destroy()
    }
    const client = new Started()
    const lines = await client.ask(
      ...[1, 2, 3, 4].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      'not JSON',
      '[]',
    )
    const faults = new Map(
      lines.map(({ id, error }) => [id, (error as { message: string }).message]),
    )
    expect(lines).toHaveLength(6)
    expect(faults.get(1)).toBe('The API key is not valid.')
    expect(faults.get(2)).toBe(
      `${service.origin}/mcp answered 502: something before the service did.`,
    )
    expect(faults.get(3)).toContain('the connection ended before the answer came')
    expect(faults.get(4)).toContain('was not reached, or broke off')
    expect(faults.get(null)).toContain('one message of JSON-RPC')
    expect(client.notes).toHaveLength(1)
  })

  it('leaves a request that the client cancels, and ends everything when it is stopped', async () => {
    const left = Promise.withResolvers<undefined>()
    const arrived = Promise.withResolvers<undefined>()
    answer = (asked, response) => {
      if (messageIn(asked).id === 2) return arrived.resolve(undefined)
      answerEvents(response, { jsonrpc: '2.0', method: 'notifications/progress' })
      response.on('close', () => left.resolve(undefined))
    }
    const client = new Started()
    client.say(call(1, 'get_video', {}))
    await expect.poll(() => client.lines.length).toBe(1)
    client.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await left.promise
    client.say(call(2, 'get_video', {}))
    await arrived.promise
    client.stop.abort(new Error('Stopped.'))
    await expect(client.ended).rejects.toThrow('Stopped.')
    expect(client.lines).toHaveLength(1)
  })
})

describe('upload_file', () => {
  const bytes = Buffer.from(`\0\0\0\x18ftypmp42${'.'.repeat(100)}`, 'latin1')

  function takeUploads(partStatus: () => number): void {
    const part = { partNumber: 1, url: `${service.origin}/parts/1` }
    const plan = { uploadId: 'u_1', partSize: 8_388_608, parts: [part] }
    answer = ({ method, url }, response) => {
      if (method === 'PUT') {
        const status = partStatus()
        if (status === 200)
          answerJson(response, 200, { partNumber: 1, etag: '"1"', sizeInBytes: 112 })
        else answerJson(response, status, { error: 'ValidationError', message: 'Not this part.' })
      } else if (url.endsWith('/complete'))
        answerJson(response, 200, { uploadId: 'u_1', status: 'ready' })
      else if (method === 'GET')
        answerJson(response, 200, { ...plan, status: 'open', sizeInBytes: 112, receivedParts: [] })
      else answerJson(response, 201, plan)
    }
  }

  it('sends a video, tells how far it is, and what to do then', async () => {
    const file = path.join(folder, 'talk.mp4')
    await writeFile(file, bytes)
    takeUploads(() => 200)
    const request = call(1, 'upload_file', { path: '~/talk.mp4' })
    const params = { ...request.params, _meta: { progressToken: 'p' } }
    const lines = await new Started([folder]).ask({ ...request, params })
    expect(lines.at(-1)).toMatchObject({
      id: 1,
      result: { structuredContent: { uploadId: 'u_1' } },
    })
    expect(textOf(lines.at(-1))).toContain('Next: call make_video with uploadId u_1')
    expect(lines.slice(0, -1)).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 100, total: 100, message: 'uploading' },
    })
    expect(service.asked.find(({ method }) => method === 'PUT')?.body).toEqual(bytes)
  })

  it('continues an upload that was cut off', async () => {
    const file = path.join(folder, 'talk.mp4')
    await writeFile(file, bytes)
    let status = 403
    takeUploads(() => status)
    const client = new Started()
    client.say(call(1, 'upload_file', { path: file }))
    expect(textOf(await client.answerTo(1))).toContain('Not this part.')
    status = 200
    const lines = await client.ask(call(2, 'upload_file', { path: file }))
    expect(lines.at(-1)).toMatchObject({
      id: 2,
      result: { structuredContent: { uploadId: 'u_1' } },
    })
    expect(service.asked.filter(({ url }) => url === '/v1/uploads')).toHaveLength(1)
  })

  it('sends nothing that is not a video, or that is outside of the folders, links among it', async () => {
    const outside = path.join(folder, 'talk.mp4')
    await writeFile(outside, bytes)
    const secret = path.join(folder, 'secret.mp4')
    await writeFile(secret, 'not a video')
    takeUploads(() => 200)
    const allowed = await mkdtemp(path.join(folder, 'allowed-'))
    const link = path.join(allowed, 'link.mp4')
    await symlink(outside, link)
    const inAllowed = new Started([allowed])
    const refused = await inAllowed.ask(
      call(1, 'upload_file', { path: outside }),
      call(2, 'upload_file', { path: link }),
      call(3, 'upload_file', { path: path.join(allowed, '../talk.mp4') }),
    )
    for (const line of refused)
      expect(textOf(line)).toContain('is not in a folder whose files may be sent')
    const anywhere = await new Started().ask(
      call(1, 'upload_file', { path: secret }),
      call(2, 'upload_file', { path: folder }),
      call(3, 'upload_file', {}),
    )
    const texts = new Map(anywhere.map((line) => [line.id, textOf(line)]))
    expect(texts.get(1)).toContain('is none of these, so it was not sent')
    expect(texts.get(2)).toContain('There is no file')
    expect(texts.get(3)).toContain('- path: Required')
    expect(service.asked).toEqual([])
  })
})

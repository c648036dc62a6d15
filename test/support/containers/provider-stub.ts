import { onTestFinished } from 'vitest'
import { listen } from '../node/listen.ts'

type Asked = { method: string; path: string; headers: Headers; body: Buffer }
export type Reply = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Given no earlier than this. */
  after?: Promise<unknown>
}

export type ProviderStub = {
  origin: string
  asked: Asked[]
  /** Connections that the caller ended before it had an answer. */
  hungUp: () => number
}

/** A provider over real HTTP: the answers in their order, the last one again and again; `never` answers nothing. */
export async function startProvider(...replies: (Reply | 'never')[]): Promise<ProviderStub> {
  const asked: Asked[] = []
  let hungUp = 0
  const server = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('close', () => {
      if (!response.writableEnded) hungUp += 1
    })
    request.on('end', () => {
      const reply = replies[Math.min(asked.length, replies.length - 1)]
      const headers = new Headers(request.headers as Record<string, string>)
      asked.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers,
        body: Buffer.concat(chunks),
      })
      if (reply === undefined || reply === 'never') return
      void (reply.after ?? Promise.resolve()).then(() => {
        response.writeHead(reply.status ?? 200, reply.headers)
        response.end(reply.text ?? JSON.stringify(reply.json ?? {}))
      })
    })
  })
  onTestFinished(server.close)
  return { origin: server.origin, asked, hungUp: () => hungUp }
}

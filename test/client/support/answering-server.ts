import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen, type LocalServer } from '../../support/node/listen.ts'

export type Asked = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

type Handler = (asked: Asked, response: ServerResponse) => void

/** A server on loopback that answers as a test says, remembers what it was asked, and ends with the test. */
export class AnsweringServer {
  #server: LocalServer | undefined
  readonly asked: Asked[] = []

  static async start(handle: Handler): Promise<AnsweringServer> {
    const server = new AnsweringServer()
    server.#server = await listen((request, response) => {
      void buffer(request).then((body) => {
        const { method = '', url = '', headers } = request
        const asked = { method, url, headers, body }
        server.asked.push(asked)
        handle(asked, response)
      })
    })
    onTestFinished(async () => server.close())
    return server
  }

  get origin(): string {
    return this.#server?.origin ?? ''
  }

  async close(): Promise<void> {
    const ending = this.#server
    this.#server = undefined
    await ending?.close()
  }
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

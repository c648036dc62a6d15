import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export type Asked = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

type Handler = (asked: Asked, response: ServerResponse) => void

/** A server on loopback that answers as a test says, and remembers what it was asked. */
export class AnsweringServer {
  readonly #server: Server
  readonly asked: Asked[] = []

  private constructor(handle: Handler) {
    this.#server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const { method = '', url = '', headers } = request
        const asked = { method, url, headers, body }
        this.asked.push(asked)
        handle(asked, response)
      })
    })
  }

  static async start(handle: Handler): Promise<AnsweringServer> {
    const server = new AnsweringServer(handle)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get origin(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
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

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { root } from '../machine/checkout.ts'

type Arrived = { headers: IncomingHttpHeaders; body: Buffer }

const logo = path.join(root, 'docs/examples/logo.png')

/** What the service reaches on this machine: a picture to lay over a video, and a receiver of webhooks. */
export class NearServer {
  readonly #server: Server
  readonly #arrived = Promise.withResolvers<Arrived>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<NearServer> {
    const near = new NearServer(createServer())
    near.#server.on('request', (request, response) => {
      if (request.method === 'POST') {
        void buffer(request).then((body) => {
          near.#arrived.resolve({ headers: request.headers, body })
          response.end()
        })
      } else if (request.url === '/logo.png') {
        void readFile(logo).then((bytes) =>
          response.setHeader('Content-Type', 'image/png').end(bytes),
        )
      } else response.writeHead(404).end()
    })
    near.#server.listen(0, '127.0.0.1')
    await once(near.#server, 'listening')
    return near
  }

  /** The first webhook. */
  get webhook(): Promise<Arrived> {
    return this.#arrived.promise
  }

  url(file: string): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}/${file}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

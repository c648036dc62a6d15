import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'

/** Serves files over HTTP on loopback, each under its given name; anything else is a 404. */
export class ClipServer {
  readonly #server: Server
  readonly #files = new Map<string, string>()
  readonly #stalled = new Set<string>()
  readonly requests: string[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/'
      this.requests.push(path)
      if (this.#stalled.has(path)) {
        response.writeHead(200, { 'Content-Length': 1e6, 'Content-Type': 'video/mp4' }).write('x')
        return
      }
      const file = this.#files.get(path)
      if (!file) {
        response.writeHead(404).end()
        return
      }
      void stat(file).then(({ size }) => {
        response.writeHead(200, { 'Content-Length': size, 'Content-Type': 'video/mp4' })
        createReadStream(file).pipe(response)
      })
    })
  }

  static async start(): Promise<ClipServer> {
    const server = new ClipServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get origin(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}`
  }

  /** The address of the file under this name. */
  serve(name: string, file: string): string {
    this.#files.set(`/${name}`, file)
    return `${this.origin}/${name}`
  }

  /** The address of a file that begins and never ends. */
  stall(name: string): string {
    this.#stalled.add(`/${name}`)
    return `${this.origin}/${name}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

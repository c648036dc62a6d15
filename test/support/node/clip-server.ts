import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { listen, type LocalServer } from './listen.ts'

/** Serves files over HTTP on loopback, each under its given name; anything else is a 404. */
export class ClipServer {
  #server: LocalServer | undefined
  readonly #files = new Map<string, string>()
  readonly #stalled = new Set<string>()
  readonly requests: string[] = []

  static async start(): Promise<ClipServer> {
    const server = new ClipServer()
    await server.open()
    return server
  }

  async open(): Promise<void> {
    this.#server = await listen(this.#answer)
  }

  readonly #answer: RequestListener = (request, response) => {
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
  }

  get origin(): string {
    return this.#server?.origin ?? ''
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
    await this.#server?.close()
  }
}

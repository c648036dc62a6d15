import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'

export type ReceivedHook = { path: string; headers: Record<string, string>; body: string }

/**
 * Receives webhooks on loopback: stores what arrives, and answers 200 unless statuses are given for the first requests.
 */
export class HookReceiver {
  readonly #server: Server
  readonly received: ReceivedHook[] = []

  private constructor(statuses: number[]) {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        // No header of a webhook occurs twice.
        const headers = request.headers as Record<string, string>
        this.received.push({ path: request.url ?? '', headers, body })
        response.writeHead(statuses.shift() ?? 200).end()
      })
    })
  }

  static async start(port = 0, statuses: number[] = []): Promise<HookReceiver> {
    const receiver = new HookReceiver(statuses)
    receiver.#server.listen(port, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  url(path: string): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}${path}`
  }

  /** The webhooks that have arrived at this path. */
  at(path: string): ReceivedHook[] {
    return this.received.filter((one) => one.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

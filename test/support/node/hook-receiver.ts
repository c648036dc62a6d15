import { text } from 'node:stream/consumers'
import { listen, type LocalServer } from './listen.ts'

type ReceivedHook = { path: string; headers: Record<string, string>; body: string }

/**
 * Receives webhooks on loopback: stores what arrives, and answers 200 unless statuses are given for the first requests.
 */
export class HookReceiver {
  #server: LocalServer | undefined
  readonly received: ReceivedHook[] = []

  static async start(port = 0, statuses: number[] = []): Promise<HookReceiver> {
    const receiver = new HookReceiver()
    receiver.#server = await listen((request, response) => {
      void text(request).then((body) => {
        // No header of a webhook occurs twice.
        const headers = request.headers as Record<string, string>
        receiver.received.push({ path: request.url ?? '', headers, body })
        response.writeHead(statuses.shift() ?? 200).end()
      })
    }, port)
    return receiver
  }

  url(path: string): string {
    return `${this.#server?.origin ?? ''}${path}`
  }

  /** The webhooks that have arrived at this path. */
  at(path: string): ReceivedHook[] {
    return this.received.filter((one) => one.path === path)
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }
}

import { here } from '../engine/life.ts'
import type { World } from '../engine/world.ts'

/** Who answers at an address. `never`: the connection stays open, and nothing comes. */
export type Host = (request: Request) => Promise<Response | 'never'>

/** The network between all that speak HTTP. */
export class Network {
  readonly #world: World
  readonly #hosts: ((url: URL) => Host | undefined)[] = []

  constructor(world: World) {
    this.#world = world
  }

  serve(find: (url: URL) => Host | undefined): void {
    this.#hosts.push(find)
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    return this.send(request, this.#hosts.map((find) => find(url)).find(Boolean))
  }

  async send(request: Request, host: Host | undefined): Promise<Response> {
    const { signal } = request
    signal.throwIfAborted()
    const answer = this.#world.ask(
      `${request.method} ${shortened(request.url)}`,
      async () => {
        if (!host) throw new TypeError('fetch failed')
        const answered = await host(request)
        return answered === 'never' ? new Promise<never>(() => undefined) : answered
      },
      {
        fails: 'request lost',
        unanswered: 'answer lost',
        ms: 15,
        error: () => new TypeError('fetch failed'),
      },
    )
    return untilAborted(signal, answer)
  }
}

async function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { life } = here()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => life.reach(() => aborted.reject(signal.reason as Error))
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Without what is signed, which nobody wants to read in a diary. */
function shortened(url: string): string {
  return url.split('?')[0] ?? url
}

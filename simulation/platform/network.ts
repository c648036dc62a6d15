import { KeptRequest } from '../engine/kept-request.ts'
import { here } from '../engine/life.ts'
import { PlainHeaders } from '../engine/plain-headers.ts'
import type { World } from '../engine/world.ts'

/** A request on its way. */
export type Sent = { url: string; method: string; headers: PlainHeaders; text: string }

/** The server at an address. `never`: the connection stays open, and no answer comes. */
export type Host = (sent: Sent) => Promise<Response | 'never'>

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

  readonly fetch = async (
    input: string | URL | KeptRequest,
    init?: RequestInit,
  ): Promise<Response> => {
    const sent = input instanceof KeptRequest ? readFrom(input) : sentOf(input, init)
    const url = new URL(sent.url)
    const signal = input instanceof KeptRequest ? input.givenSignal : init?.signal
    const answer = await this.send(sent, signal, this.#hosts.map((find) => find(url)).find(Boolean))
    const { redirect = 'follow' } = input instanceof KeptRequest ? input : (init ?? {})
    // The service vetted the address that it asked, but not the one to which this redirects.
    if (redirect === 'follow' && answer.headers.has('location'))
      this.#world.break(`${shortened(sent.url)} sends to another address, which is followed`)
    return answer
  }

  async send(
    sent: Sent,
    signal: AbortSignal | null | undefined,
    host: Host | undefined,
  ): Promise<Response> {
    signal?.throwIfAborted()
    const answer = this.#world.ask(
      `${sent.method} ${shortened(sent.url)}`,
      async () => {
        if (!host) throw new TypeError('fetch failed')
        const answered = await host(sent)
        return answered === 'never' ? new Promise<never>(() => undefined) : answered
      },
      {
        fails: 'request lost',
        unanswered: 'answer lost',
        slow: 'request slow',
        late: 'answer slow',
        ms: 15,
        error: () => new TypeError('fetch failed'),
      },
    )
    return signal ? untilAborted(signal, answer) : answer
  }
}

/** The request of a `fetch`; the service sends only text or bytes. */
export function sentOf(input: string | URL, init: RequestInit = {}): Sent {
  const { method = 'GET', headers, body } = init
  return {
    url: String(input),
    method,
    headers: new PlainHeaders(headers as ConstructorParameters<typeof PlainHeaders>[0]),
    text: textOf(body),
  }
}

function readFrom({ url, method, headers, given }: KeptRequest): Sent {
  return { url, method, headers, text: textOf(given) }
}

function textOf(body: RequestInit['body']): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  throw new Error('the simulated network takes text and bytes only')
}

async function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { life } = here()
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const stop = (): void => life.reach(() => reject(signal.reason as Error))
  signal.addEventListener('abort', stop)
  work.then(resolve, reject)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The address without its signature, which would only clutter a diary. */
function shortened(url: string): string {
  return url.split('?')[0] ?? url
}

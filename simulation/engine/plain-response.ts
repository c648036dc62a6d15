import { PlainHeaders } from './plain-headers.ts'

type Body = string | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | null | undefined
type Init = {
  status?: number | undefined
  statusText?: string | undefined
  headers?: ConstructorParameters<typeof PlainHeaders>[0]
}

const bodiless = new Set([101, 204, 205, 304])

/** An answer whose text stays a text. Node's makes a stream of it, which takes longer than making the answer. */
export class PlainResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: PlainHeaders
  readonly url = ''
  readonly redirected = false
  readonly type = 'default'
  bodyUsed = false
  #body: Body

  constructor(body?: Body, { status = 200, statusText = '', headers }: Init = {}) {
    if (status < 200 || status > 599) throw new RangeError(`Invalid status: ${status}`)
    const isEmpty = body === undefined || body === null
    if (!isEmpty && bodiless.has(status)) throw new TypeError(`${status} has no body`)
    this.status = status
    this.statusText = statusText
    this.headers = new PlainHeaders(headers)
    this.#body = body
    if (typeof body === 'string' && !this.headers.has('content-type'))
      this.headers.set('content-type', 'text/plain;charset=UTF-8')
  }

  static json(data: unknown, init: Init = {}): PlainResponse {
    const answer = new PlainResponse(JSON.stringify(data), init)
    const given = new PlainHeaders(init.headers)
    if (!given.has('content-type')) answer.headers.set('content-type', 'application/json')
    return answer
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** Whether it was made from a stream, which goes on after the answer has begun. */
  get isStream(): boolean {
    return this.#body instanceof ReadableStream
  }

  /** A stream of the body, made only if it is asked for. */
  get body(): ReadableStream<Uint8Array> | null {
    const body = this.#body
    if (body === undefined || body === null) return null
    if (body instanceof ReadableStream) return body
    const stream = new Response(body as ConstructorParameters<typeof Response>[0]).body
    this.#body = stream
    return stream
  }

  async text(): Promise<string> {
    const body = this.#taken()
    if (typeof body === 'string') return body
    return new TextDecoder().decode(await bytesOf(body))
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await bytesOf(this.#taken())).buffer
  }

  #taken(): Body {
    if (this.bodyUsed) throw new TypeError('Body has already been used.')
    this.bodyUsed = true
    return this.#body
  }
}

/** For simulated hosts, which answer with the platform's type. */
export const PlainAnswer = PlainResponse as unknown as typeof Response

async function bytesOf(body: Body): Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array()
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Uint8Array) return body
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

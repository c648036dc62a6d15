import { bindings, service } from './bindings.ts'
import { judgeAnswer } from './documented.ts'

export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The body if it is a JSON object, otherwise an empty one. */
  json: Record<string, unknown>
}

/** Sends one request to the Worker and reads the whole answer, which the description of the API must have. */
export async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await service.fetch(new URL(path, bindings.BASE_URL).href, {
    redirect: 'manual',
    ...init,
  })
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const { status, headers } = response
  const isJson = headers.get('Content-Type')?.startsWith('application/json') && text !== ''
  const json = isJson ? (JSON.parse(text) as Answer['json']) : {}
  const answer = { status, headers, text, json }
  judgeAnswer(init.method ?? 'GET', path, answer)
  return answer
}

type Headings = Record<string, string>

/** Calls the API with one key. A body that is text is sent unchanged. */
export class Client {
  readonly apiKey: string
  readonly keyId: string
  readonly accountId: string

  constructor(issued: { apiKey: string; keyId: string; accountId: string }) {
    this.apiKey = issued.apiKey
    this.keyId = issued.keyId
    this.accountId = issued.accountId
  }

  /** Sends these headers and no others. */
  async sendAsItIs(path: string, init: RequestInit): Promise<Answer> {
    return send(path, init)
  }

  async send(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${this.apiKey}`)
    return send(path, { ...init, headers })
  }

  async get(path: string, headers: Headings = {}): Promise<Answer> {
    return this.send(path, { headers })
  }

  /** What the API says of a video, whose id may come from an answer. */
  async record(videoId: unknown): Promise<Answer['json']> {
    return (await this.get(`/v1/videos/${String(videoId)}`)).json
  }

  async post(path: string, body?: unknown, headers: Headings = {}): Promise<Answer> {
    return this.request('POST', path, body, headers)
  }

  async patch(path: string, body: unknown): Promise<Answer> {
    return this.request('PATCH', path, body)
  }

  async delete(path: string): Promise<Answer> {
    return this.send(path, { method: 'DELETE' })
  }

  async request(method: string, path: string, body?: unknown, headers: Headings = {}) {
    if (body === undefined) return this.send(path, { method, headers })
    return this.send(path, {
      method,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  }
}

/** The parts of an answer that say why it was refused, for one comparison: status, error and message. */
export function refusal({ status, json }: Answer): Record<string, unknown> {
  return { status, error: json['error'], message: json['message'] }
}

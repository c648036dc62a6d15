import { ApiError, SpoolError } from '../errors.ts'
import { noService } from './read-error.ts'
import { exchange, openExchange, type Fetch, type Outgoing, type Received } from './exchange.ts'
import { retried, type RetryPolicy } from './retried.ts'
import { Deadline, type Timing } from './timing.ts'

/** What every call takes besides its own arguments. */
export type CallOptions = {
  /** Ends the call at once; it then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export type Query = Record<string, string | number | boolean | undefined>

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Query
  json?: unknown
  headers?: Record<string, string>
  body?: RequestInit['body']
  /** For a POST: whether sending it twice does the same as sending it once. */
  repeatable?: boolean
  passes?: RetryPolicy['passes']
}

export type TransportSettings = {
  apiKey: string
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  fetch: Fetch
  timing: Timing
}

/** The line to one service: its address, the key, and how often something is tried. */
export class Transport {
  readonly settings: TransportSettings

  constructor(settings: TransportSettings) {
    this.settings = settings
  }

  /** The answer as JSON; the service keeps to its own description, so nothing checks it again. */
  async json<Answer>(call: Call, options: CallOptions = {}): Promise<Answer> {
    const { status, headers, text } = await this.send(call, options)
    try {
      return JSON.parse(text) as Answer
    } catch {
      const { url } = this.#outgoing(call, options)
      const answer = `${status}, but not with JSON`
      throw new ApiError(noService(`${call.method} ${call.path}`, url, answer), {
        status,
        code: 'Unrecognized',
        faults: [],
        retryAfterSeconds: undefined,
        requestId: headers.get('X-Request-Id') ?? undefined,
      })
    }
  }

  async send(call: Call, options: CallOptions = {}): Promise<Received> {
    const outgoing = this.#outgoing(call, options)
    return this.#retried(call, options, async () => exchange(this.settings.fetch, outgoing))
  }

  /** An answer that is read while it arrives. The deadline is for what comes after its headers. */
  async open(
    call: Call,
    options: CallOptions = {},
  ): Promise<{ response: Response; deadline: Deadline }> {
    const outgoing = this.#outgoing(call, options)
    return this.#retried(call, options, async () => {
      const deadline = new Deadline(`${call.method} ${call.path}`, options.signal)
      try {
        return { response: await openExchange(this.settings.fetch, outgoing, deadline), deadline }
      } catch (error) {
        deadline.clear()
        throw error
      }
    })
  }

  async #retried<Result>(call: Call, options: CallOptions, work: () => Promise<Result>) {
    const { maxRetries, timing } = this.settings
    const policy: RetryPolicy = {
      maxRetries: options.maxRetries ?? maxRetries,
      repeatable: call.repeatable ?? call.method !== 'POST',
      ...(call.passes ? { passes: call.passes } : {}),
    }
    return retried(work, policy, timing, options.signal)
  }

  #outgoing(call: Call, options: CallOptions): Outgoing {
    const { apiKey, baseUrl, timeoutMs } = this.settings
    const { method, path, json } = call
    return {
      url: `${baseUrl}${path}${queryText(call.query ?? {})}`,
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        Accept: 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...call.headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(call.body === undefined ? {} : { body: call.body }),
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
    }
  }
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}

/** A part of an address that comes from a caller. An empty one would ask for something else. */
export function pathPart(value: string, name: string): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new SpoolError(`${name} must be a text that is not empty.`)
  }
  return encodeURIComponent(value)
}

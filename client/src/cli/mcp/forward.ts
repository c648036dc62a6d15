import { readServerEvents } from '../../http/server-events.ts'
import type { Access } from '../session/choose-access.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import { faultCodes, faultOf, isRequest, type Message } from './message.ts'

/** Since 2026 a message says by itself which version it is written in. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Passes messages on to the service, and what it answers back. */
export class Forwarder {
  readonly #access: Access
  /** The version that both sides agreed on in the handshake. */
  #version: string | undefined

  constructor(access: Access) {
    this.#access = access
  }

  /** The messages that the service answers. A request gets its own answer last, whatever happens on the way. */
  async *send(message: Message, signal: AbortSignal): AsyncGenerator<Message> {
    try {
      const answer = await this.#post(message, signal)
      if (answer.body && isType(answer, 'text/event-stream')) {
        yield* this.#streamed(message, answer.body, signal)
      } else if (isRequest(message)) {
        yield this.#noted(message, { ...(await readAnswer(answer, this.#access)), id: message.id })
      } else if (!answer.ok) {
        throw new Error(`${message.method ?? 'an answer'} was answered ${answer.status}`)
      }
    } catch (error) {
      // A client that has cancelled a request does not want its answer.
      if (signal.aborted || !isRequest(message)) throw error
      yield faultOf(message.id, faultCodes.refused, explain(error, this.#access.baseUrl))
    }
  }

  async #post(message: Message, signal: AbortSignal): Promise<Response> {
    const { apiKey, baseUrl } = this.#access
    return fetch(`${baseUrl.replace(/\/+$/, '')}/mcp`, {
      method: 'POST',
      headers: {
        ...headersOf(message, this.#version),
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
      signal,
    })
  }

  async *#streamed(
    message: Message,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Message> {
    for await (const { data } of readServerEvents(body, signal, () => undefined)) {
      const answer = JSON.parse(data) as Message
      yield this.#noted(message, answer)
      if (answer.method === undefined && answer.id === message.id) return
    }
    if (isRequest(message)) throw new Error('the connection ended before the answer came')
  }

  #noted(message: Message, answer: Message): Message {
    const agreed = answer.result?.['protocolVersion']
    if (message.method === 'initialize' && typeof agreed === 'string') this.#version = agreed
    return answer
  }
}

function headersOf(
  { method, params }: Message,
  agreed: string | undefined,
): Record<string, string> {
  const said = (params?.['_meta'] as Record<string, unknown> | undefined)?.[versionKey]
  if (typeof said !== 'string')
    return agreed === undefined ? {} : { 'MCP-Protocol-Version': agreed }
  const name = params?.['name'] ?? params?.['uri']
  return {
    'MCP-Protocol-Version': said,
    ...(method === undefined ? {} : { 'Mcp-Method': method }),
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  }
}

function isType(answer: Response, type: string): boolean {
  return answer.headers.get('Content-Type')?.startsWith(type) === true
}

/** One that refuses a whole request does not know which message it is about. */
async function readAnswer(answer: Response, { baseUrl }: Access): Promise<Message> {
  const body: unknown = isType(answer, 'application/json') ? await answer.json() : undefined
  if (typeof body === 'object' && body !== null && 'jsonrpc' in body) return body
  const { status } = answer
  const message =
    status >= 500
      ? `${baseUrl}/mcp answered ${status}: something before the service did.`
      : `There is no Spool service at ${baseUrl}. POST /mcp was answered ${status}.`
  throw new CommandError(message, exitCodes.unreachable)
}

function explain(error: unknown, baseUrl: string): string {
  if (error instanceof CommandError) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = cause instanceof Error ? cause.message : String(cause)
  return `${baseUrl} was not reached, or broke off: ${why}. Is the service running there?`
}

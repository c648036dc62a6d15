import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Forwarder } from './forward.ts'
import { faultCodes, faultOf, isRequest, type Message, type RequestMessage } from './message.ts'
import { replacedTool, uploadTool, type Uploader } from './upload-tool.ts'

type BridgeEnds = {
  input: Readable
  /** Writes one line of the protocol. */
  print: (line: string) => void
  /** For the person who reads the log of the client. */
  note: (line: string) => void
  signal: AbortSignal
}

/** Carries messages between an agent's client, which has started this program, and the service. */
export class Bridge {
  readonly #forwarder: Forwarder
  readonly #uploader: Uploader
  readonly #ends: BridgeEnds
  readonly #underWay = new Map<string | number, AbortController>()

  constructor(forwarder: Forwarder, uploader: Uploader, ends: BridgeEnds) {
    this.#forwarder = forwarder
    this.#uploader = uploader
    this.#ends = ends
  }

  /** Until the client closes its end; what is under way then is still answered. */
  async run(): Promise<void> {
    const { input, signal } = this.#ends
    const lines = createInterface({ input, crlfDelay: Infinity })
    signal.addEventListener('abort', () => lines.close(), { once: true })
    const tasks = new Set<Promise<void>>()
    for await (const line of lines) {
      if (line.trim() === '') continue
      const task = this.#take(line).finally(() => tasks.delete(task))
      tasks.add(task)
    }
    if (signal.aborted) for (const request of this.#underWay.values()) request.abort()
    await Promise.all(tasks)
    signal.throwIfAborted()
  }

  async #take(line: string): Promise<void> {
    const message = readMessage(line)
    if (!message) {
      const fault = 'Each line must be one message of JSON-RPC, as an object.'
      return this.#write(faultOf(null, faultCodes.parse, fault))
    }
    if (message.method === 'notifications/cancelled') return this.#cancel(message)
    const stop = new AbortController()
    if (isRequest(message)) this.#underWay.set(message.id, stop)
    try {
      await this.#answer(message, stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) this.#ends.note(`spool mcp: ${String(error)}`)
    } finally {
      if (isRequest(message)) this.#underWay.delete(message.id)
    }
  }

  /** The service keeps no session, so closing the request is enough. */
  #cancel({ params }: Message): void {
    const id = params?.['requestId']
    if (typeof id === 'string' || typeof id === 'number') this.#underWay.get(id)?.abort()
  }

  async #answer(message: Message, signal: AbortSignal): Promise<void> {
    if (isRequest(message) && isUpload(message)) {
      const write = (step: unknown) => this.#write(step)
      return this.#write(await this.#uploader.run(message, signal, write))
    }
    for await (const answer of this.#forwarder.send(message, signal)) {
      this.#write(tellsOfTools(message) ? withUpload(answer) : answer)
    }
  }

  #write(message: unknown): void {
    this.#ends.print(JSON.stringify(message))
  }
}

function readMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : undefined
  } catch {
    return undefined
  }
}

function isUpload({ method, params }: RequestMessage): boolean {
  return method === 'tools/call' && params?.['name'] === uploadTool.name
}

function tellsOfTools({ method = '' }: Message): boolean {
  return ['initialize', 'server/discover', 'tools/list'].includes(method)
}

/** An agent on this machine sends files by their path, so its model reads of that tool and not of the one it replaces. */
function withUpload(answer: Message): Message {
  const tools = answer.result?.['tools']
  const others = Array.isArray(tools)
    ? {
        tools: [
          ...(tools as { name: string }[]).filter(({ name }) => name !== replacedTool),
          uploadTool,
        ],
      }
    : {}
  const text = JSON.stringify({
    ...answer,
    ...(answer.result && { result: { ...answer.result, ...others } }),
  })
  return JSON.parse(text.replaceAll(replacedTool, uploadTool.name)) as Message
}

import {
  Client as ProtocolClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Client } from '../client.ts'
import { bindings, service } from '../bindings.ts'

type Called = {
  text: string
  data: Record<string, unknown>
  isError: boolean
}

type CallOptions = Parameters<ProtocolClient['callTool']>[1]
type Options = ConstructorParameters<typeof ProtocolClient>[1]

const fetchWorker = async (url: string | URL, init?: RequestInit) =>
  service.fetch(new Request(url, init))

/** An agent's client, made by the makers of the protocol, with the key of this account. */
export class Agent {
  readonly client: ProtocolClient

  private constructor(client: ProtocolClient) {
    this.client = client
  }

  static async connect({ apiKey }: Pick<Client, 'apiKey'>, options?: Options): Promise<Agent> {
    const client = new ProtocolClient({ name: 'test', version: '1' }, options)
    const url = new URL('/mcp', bindings.BASE_URL)
    const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } }
    const fetch = fetchWorker as unknown as typeof globalThis.fetch
    await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit }))
    return new Agent(client)
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Called> {
    const result = await this.client.callTool({ name, arguments: args }, options)
    const [first] = result.content as { text: string }[]
    return {
      text: first?.text ?? '',
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
      isError: result.isError === true,
    }
  }
}

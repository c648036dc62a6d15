import type { ChangeWebhookEndpoint, CreateWebhookEndpoint, WebhookEndpoint } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { Listing, type Page } from '../listing.ts'

const all = '/v1/webhooks/endpoints'

/** Addresses that get the events of every video of the account. */
export class WebhookEndpoints {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async create(request: CreateWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.json<WebhookEndpoint>(
      { method: 'POST', path: all, json: request },
      options,
    )
  }

  /** Oldest first. */
  list(options: CallOptions = {}): Listing<WebhookEndpoint> {
    const call = { method: 'GET', path: all } as const
    return new Listing(
      async (_, given) => this.#transport.json<Page<WebhookEndpoint>>(call, given),
      options,
    )
  }

  async get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    const call = { method: 'GET', path: addressOf(endpointId) } as const
    return this.#transport.json<WebhookEndpoint>(call, options)
  }

  async change(
    endpointId: string,
    change: ChangeWebhookEndpoint,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    const call = { method: 'PATCH', path: addressOf(endpointId), json: change } as const
    return this.#transport.json<WebhookEndpoint>(call, options)
  }

  async delete(endpointId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(endpointId) }, options)
  }
}

function addressOf(endpointId: string): string {
  return `${all}/${pathPart(endpointId, 'endpointId')}`
}

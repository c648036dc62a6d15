import type {
  WebhookDelivery,
  WebhookFeedPage,
  WebhookSecret,
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  WebhookEndpoint,
} from '../api-types.ts'
import { SpoolError } from '../errors.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { listAt, type Listing } from '../listing.ts'
import {
  unwrapWebhook,
  type SpoolEvent,
  type UnwrapOptions,
  type WebhookHeaders,
} from '../webhook/unwrap-webhook.ts'

type ListDeliveriesQuery = { videoId?: string | undefined; limit?: number | undefined }

type EventsQuery = {
  /** The nextCursor of the page before: what came after it. */
  cursor?: string | undefined
  /** Without a cursor: what ended after this time, such as `2026-11-22T10:15:00Z`; when absent, from now on. */
  since?: string | undefined
  limit?: number | undefined
}

/** The events that the service sends: who gets them, what became of them, and whether one is genuine. */
export class Webhooks {
  readonly #transport: Transport
  readonly #secret: string | undefined
  readonly endpoints: WebhookEndpoints

  constructor(transport: Transport, secret: string | undefined) {
    this.#transport = transport
    this.#secret = secret
    this.endpoints = new WebhookEndpoints(transport)
  }

  /**
   * The event of a webhook, if the service has signed it; otherwise throws a WebhookVerificationError. `body` is the
   * body exactly as it came. The secret is the one that the client was made with, unless you pass another.
   */
  async unwrap(
    body: string | Uint8Array,
    headers: WebhookHeaders,
    { secret = this.#secret, ...options }: UnwrapOptions & { secret?: string | undefined } = {},
  ): Promise<SpoolEvent> {
    if (secret === undefined) {
      throw new SpoolError('Pass the webhookSecret to `new Spool`, or the secret to unwrap.')
    }
    return unwrapWebhook(body, headers, secret, options)
  }

  /** The secret that signs the webhooks of the account, and the one before it while that still does. */
  async secret(options?: CallOptions): Promise<WebhookSecret> {
    return this.#transport.json<WebhookSecret>(
      { method: 'GET', path: '/v1/webhooks/secret' },
      options,
    )
  }

  /** Not sent twice: a second rotation would end the secret that your receivers know. */
  async rotateSecret(options?: CallOptions): Promise<WebhookSecret> {
    const call = { method: 'POST', path: '/v1/webhooks/secret/rotate' } as const
    return this.#transport.json<WebhookSecret>(call, options)
  }

  /** Sends a test event to this address; the answer says what your receiver said. */
  async test(webhookUrl: string, options?: CallOptions): Promise<WebhookDelivery> {
    const call = { method: 'POST', path: '/v1/webhooks/test', json: { webhookUrl } } as const
    return this.#transport.json<WebhookDelivery>(call, options)
  }

  /** Videos that have ended, with the body of their webhook, for a program that no webhook can reach. */
  async events(query: EventsQuery = {}, options?: CallOptions): Promise<WebhookFeedPage> {
    const call = { method: 'GET', path: '/v1/webhooks/events', query } as const
    return this.#transport.json<WebhookFeedPage>(call, options)
  }

  /** What was sent to whom, newest first. */
  deliveries(query: ListDeliveriesQuery = {}, options: CallOptions = {}): Listing<WebhookDelivery> {
    return listAt(this.#transport, '/v1/webhooks/deliveries', { query, options })
  }

  async redeliver(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const path = `/v1/webhooks/deliveries/${pathPart(deliveryId, 'deliveryId')}/redeliver`
    return this.#transport.json<WebhookDelivery>(
      { method: 'POST', path, repeatable: true },
      options,
    )
  }
}

const all = '/v1/webhooks/endpoints'

/** Addresses that get the events of every video of the account. */
class WebhookEndpoints {
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
    return listAt(this.#transport, all, { options })
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

import type { CreateKey, IssuedKey, Key } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { listAt, type Listing } from '../listing.ts'

/** The API keys of the account; needs a key with the scope `keys:manage`. */
export class Keys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The answer is the only one that has the key itself. It is not sent twice: that could leave a key nobody knows. */
  async create(request: CreateKey, options?: CallOptions): Promise<IssuedKey> {
    const call = { method: 'POST', path: '/v1/keys', json: request } as const
    return this.#transport.json<IssuedKey>(call, options)
  }

  /** Newest first, revoked and expired keys among them. */
  list(query: { limit?: number | undefined } = {}, options: CallOptions = {}): Listing<Key> {
    return listAt(this.#transport, '/v1/keys', { query, options })
  }

  async get(keyId: string, options?: CallOptions): Promise<Key> {
    return this.#transport.json<Key>({ method: 'GET', path: addressOf(keyId) }, options)
  }

  /** `null` removes the name. */
  async rename(keyId: string, name: string | null, options?: CallOptions): Promise<Key> {
    const call = { method: 'PATCH', path: addressOf(keyId), json: { name } } as const
    return this.#transport.json<Key>(call, options)
  }

  /** The key ends at once, and for good. */
  async revoke(keyId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(keyId) }, options)
  }
}

function addressOf(keyId: string): string {
  return `/v1/keys/${pathPart(keyId, 'keyId')}`
}

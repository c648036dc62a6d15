import type { PutStorage, Storage } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { Listing, type Page } from '../listing.ts'

/** Buckets of your own: a source is `storage://name/key`, and results are delivered to them. */
export class Storages {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All of them, by name. */
  list(options: CallOptions = {}): Listing<Storage> {
    const call = { method: 'GET', path: '/v1/storages' } as const
    return new Listing(
      async (_, given) => this.#transport.json<Page<Storage>>(call, given),
      options,
    )
  }

  async get(name: string, options?: CallOptions): Promise<Storage> {
    return this.#transport.json<Storage>({ method: 'GET', path: addressOf(name) }, options)
  }

  /** Saves a storage, or replaces the one of this name, after the service has tried it. */
  async put(name: string, storage: PutStorage, options?: CallOptions): Promise<Storage> {
    const call = { method: 'PUT', path: addressOf(name), json: storage } as const
    return this.#transport.json<Storage>(call, options)
  }

  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(name) }, options)
  }
}

function addressOf(name: string): string {
  return `/v1/storages/${pathPart(name, 'name')}`
}

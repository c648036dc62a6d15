import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { listAt, type Listing } from '../listing.ts'

/** What an account keeps under names of its own. */
export class Named<Kept, Put> {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, path: string) {
    this.#transport = transport
    this.#path = path
  }

  /** Your own by name, then the built-in ones, if there are any. */
  list(options: CallOptions = {}): Listing<Kept> {
    return listAt(this.#transport, this.#path, { options })
  }

  async get(name: string, options?: CallOptions): Promise<Kept> {
    return this.#transport.json<Kept>({ method: 'GET', path: this.#addressOf(name) }, options)
  }

  /** Makes the one of this name, or replaces it. A storage is tried before it is saved. */
  async put(name: string, kept: Put, options?: CallOptions): Promise<Kept> {
    const call = { method: 'PUT', path: this.#addressOf(name), json: kept } as const
    return this.#transport.json<Kept>(call, options)
  }

  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: this.#addressOf(name) }, options)
  }

  #addressOf(name: string): string {
    return `${this.#path}/${pathPart(name, 'name')}`
  }
}

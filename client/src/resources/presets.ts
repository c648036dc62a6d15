import type { Preset, PutPreset } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { Listing, type Page } from '../listing.ts'

/** Any value may be a template instead: text such as `{{quality}}`, which `values` of a request fill. */
export type Templated<Value> = Value extends object
  ? { [Key in keyof Value]: Templated<Value[Key]> }
  : Value | `{{${string}}}`
export type TemplatedPreset = Omit<PutPreset, 'fields'> & { fields: Templated<PutPreset['fields']> }

/** Options kept under a name; a create starts from them with `preset`. */
export class Presets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Your own by name, then the built-in ones. */
  list(options: CallOptions = {}): Listing<Preset> {
    const call = { method: 'GET', path: '/v1/presets' } as const
    return new Listing(async (_, given) => this.#transport.json<Page<Preset>>(call, given), options)
  }

  async get(name: string, options?: CallOptions): Promise<Preset> {
    return this.#transport.json<Preset>({ method: 'GET', path: addressOf(name) }, options)
  }

  /** Makes a preset, or replaces the one of this name. */
  async put(name: string, preset: TemplatedPreset, options?: CallOptions): Promise<Preset> {
    const call = { method: 'PUT', path: addressOf(name), json: preset } as const
    return this.#transport.json<Preset>(call, options)
  }

  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(name) }, options)
  }
}

function addressOf(name: string): string {
  return `/v1/presets/${pathPart(name, 'name')}`
}

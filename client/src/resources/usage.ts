import type { Usage as UsageRecord } from '../api-types.ts'
import type { CallOptions, Transport } from '../http/transport.ts'

/** Days in UTC, such as `2026-11-22`. */
export type UsageQuery = { from?: string | undefined; to?: string | undefined }

/** What the account has used, day by day, and where it stands now. */
export class Usage {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async get(query: UsageQuery = {}, options?: CallOptions): Promise<UsageRecord> {
    return this.#transport.json<UsageRecord>({ method: 'GET', path: '/v1/usage', query }, options)
  }
}

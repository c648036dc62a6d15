import type { Batch, BatchAccepted, BatchItem, BatchWithVideos, CreateBatch } from '../api-types.ts'
import { isPassingConflict } from '../http/retried.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { listAt, Listing } from '../listing.ts'
import { uniqueText } from '../unique-text.ts'
import type { CreateOptions } from './videos.ts'

const firstPollMs = 2000
const longestPollMs = 15_000
const itemsOnPage = 100

export type WaitForBatchOptions = CallOptions & {
  onProgress?: ((batch: Batch) => void) | undefined
}

/** Many videos that one request creates: all of them, or none if one is not valid. */
export class Batches {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Up to 1,000 videos. Every attempt of one call carries the same key, so that they make one batch. */
  async create(request: CreateBatch, options: CreateOptions = {}): Promise<BatchAccepted> {
    return this.#transport.json<BatchAccepted>(
      {
        method: 'POST',
        path: '/v1/batches',
        json: request,
        headers: { 'Idempotency-Key': options.idempotencyKey ?? uniqueText() },
        repeatable: true,
        passes: isPassingConflict,
      },
      options,
    )
  }

  /** Newest first. */
  list(options: CallOptions = {}): Listing<Batch> {
    return listAt(this.#transport, '/v1/batches', { options })
  }

  /** The batch with its counts, and the first of its videos. */
  async get(batchId: string, options?: CallOptions): Promise<BatchWithVideos> {
    return this.#transport.json<BatchWithVideos>(
      { method: 'GET', path: addressOf(batchId) },
      options,
    )
  }

  /** Its videos in the order of the items. */
  items(batchId: string, options: CallOptions = {}): Listing<BatchItem> {
    return new Listing(async (cursor, given) => {
      const query = { limit: itemsOnPage, cursor }
      const call = { method: 'GET', path: addressOf(batchId), query } as const
      const { videos, nextCursor } = await this.#transport.json<BatchWithVideos>(call, given)
      return { data: videos, nextCursor }
    }, options)
  }

  /** Ends every video of it that has not ended. */
  async cancel(batchId: string, options?: CallOptions): Promise<Batch> {
    const path = `${addressOf(batchId)}/cancel`
    return this.#transport.json<Batch>({ method: 'POST', path, repeatable: true }, options)
  }

  /** The batch once all its videos have ended, however they did: its counts tell. */
  async wait(batchId: string, options: WaitForBatchOptions = {}): Promise<Batch> {
    const { onProgress, ...call } = options
    for (let ms = firstPollMs; ; ms = Math.min(ms * 1.3, longestPollMs)) {
      const batch = await this.get(batchId, call)
      onProgress?.(batch)
      if (batch.status === 'ended') return batch
      await this.#transport.settings.timing.pause(ms, call.signal)
    }
  }
}

function addressOf(batchId: string): string {
  return `/v1/batches/${pathPart(batchId, 'batchId')}`
}

import { AppError } from '../contract/answers/errors.ts'
import { arrivalPace } from '../contract/limits.ts'
import { withinMs } from '../contract/within-ms.ts'
import { brokenOff, type ByteSource } from './byte-window.ts'

type SourcePace = { bytes: number; withinMs: number }

/**
 * A body that must keep arriving: a number of bytes within a time. Only the time spent waiting for the client counts,
 * not the time for storing. No read asks for more than that number of bytes, so that even a large read notices when
 * nothing comes.
 */
export class PacedSource implements ByteSource {
  readonly #source: ByteSource
  readonly #pace: SourcePace
  readonly #now: () => number
  #leftBytes: number
  #leftMs: number

  constructor(source: ByteSource, pace: SourcePace = arrivalPace, now: () => number = Date.now) {
    this.#source = source
    this.#pace = pace
    this.#now = now
    this.#leftBytes = pace.bytes
    this.#leftMs = pace.withinMs
  }

  /** May read less than asked for, but reads nothing only at the end. */
  async readAtLeast(...[minBytes, view]: Parameters<ByteSource['readAtLeast']>) {
    const begunAt = this.#now()
    const reading = this.#read(Math.min(minBytes, this.#leftBytes), view)
    const read = await withinMs(this.#leftMs, reading, () => {
      throw tooSlow(this.#pace)
    })
    this.#leftBytes -= read.value?.byteLength ?? 0
    this.#leftMs -= this.#now() - begunAt
    if (this.#leftBytes <= 0) {
      this.#leftBytes = this.#pace.bytes
      this.#leftMs = this.#pace.withinMs
    } else if (this.#leftMs <= 0 && !read.done) throw tooSlow(this.#pace)
    return read
  }

  async #read(...asked: Parameters<ByteSource['readAtLeast']>) {
    try {
      return await this.#source.readAtLeast(...asked)
    } catch (cause) {
      throw brokenOff(cause)
    }
  }
}

function tooSlow({ bytes, withinMs }: SourcePace): AppError {
  const every = `every ${bytes} bytes of it within ${withinMs / 1000} seconds`
  const details = [{ field: 'body', message: `Must keep arriving, ${every}` }]
  return new AppError('ValidationError', `The body came too slowly: it must arrive, ${every}.`, {
    details,
  })
}

import { SpoolError } from '../errors.ts'

/** A stream of which ranges are read, one behind the other; what lies between them is passed over. */
export class StreamBytes {
  readonly #chunks: AsyncIterator<Uint8Array, undefined>
  readonly #size: number | undefined
  #rest = new Uint8Array(0)
  #position = 0

  constructor(chunks: AsyncIterable<Uint8Array>, size: number | undefined) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
    this.#size = size
  }

  async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.#take(start - this.#position, undefined)
    const bytes = new Uint8Array(end - start)
    await this.#take(bytes.length, bytes)
    if (end === this.#size) await this.#expectEnd()
    return bytes
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #take(length: number, into: Uint8Array | undefined): Promise<void> {
    for (let taken = 0; taken < length;) {
      if (this.#rest.length === 0) await this.#fill()
      const piece = this.#rest.subarray(0, length - taken)
      into?.set(piece, taken)
      this.#rest = this.#rest.subarray(piece.length)
      taken += piece.length
      this.#position += piece.length
    }
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) {
      throw new SpoolError(
        `The stream ended after ${this.#position} of ${this.#size ?? 'an unknown number of'} bytes.`,
      )
    }
    if (!(value instanceof Uint8Array)) throw new SpoolError('The stream must consist of bytes.')
    this.#rest = value as Uint8Array<ArrayBuffer>
  }

  async #expectEnd(): Promise<void> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) return
      this.#rest = value as Uint8Array<ArrayBuffer>
    }
    throw new SpoolError(`The stream is longer than its sizeInBytes, ${this.#size ?? ''}.`)
  }
}

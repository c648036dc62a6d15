// oxlint-disable-next-line no-restricted-imports -- workerd's own search for bytes; in JavaScript it takes ten times as long
import { Buffer } from 'node:buffer'
import { AppError } from '../contract/answers/errors.ts'
import type { BufferPool } from './buffer-pool.ts'

/**
 * The part of workerd's BYOB reader that is used. It fills at least `minBytes` of the view, and less only at the end.
 */
export type ByteSource = {
  readAtLeast(
    minBytes: number,
    view: Uint8Array<ArrayBuffer>,
  ): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>
}

/**
 * Bytes that are lent together with their buffer. They may be used until they are given back, which must happen once.
 */
export type Loan = { bytes: Uint8Array<ArrayBuffer>; giveBack: () => void }

/** How much a window holds at first, and by which factor it grows when it is full. */
export const firstBytes = 64 * 1024
export const growth = 8

/**
 * The stretch of a body that is in memory: filled at its end, consumed at its beginning, and never larger than a
 * buffer. It starts small and grows as bytes arrive, so that a client that sends little and stops occupies little.
 */
export class BodyWindow {
  readonly #source: ByteSource
  readonly #pool: BufferPool
  #buffer: ArrayBuffer
  #start = 0
  #end: number
  #ended = false

  private constructor(source: ByteSource, pool: BufferPool, buffer: ArrayBuffer, length: number) {
    this.#source = source
    this.#pool = pool
    this.#buffer = buffer
    this.#end = length
  }

  /** `head` is put before the first byte of the source, as if it had been sent. */
  static async open(source: ByteSource, pool: BufferPool, head: Uint8Array): Promise<BodyWindow> {
    const isSmall = firstBytes < pool.bufferBytes
    const buffer = isSmall ? new ArrayBuffer(firstBytes) : await pool.take()
    new Uint8Array(buffer).set(head)
    return new BodyWindow(source, pool, buffer, head.length)
  }

  get length(): number {
    return this.#end - this.#start
  }

  /** True when nothing follows what the window holds. */
  get ended(): boolean {
    return this.#ended
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, this.#start, this.length)
  }

  /** The position of these bytes at or after `from`, or -1. */
  indexOf(wanted: Uint8Array, from = 0): number {
    return Buffer.from(this.#buffer, this.#start, this.length).indexOf(wanted, from)
  }

  /** Reads until the window holds `length` bytes, or until the body ends. */
  async fill(length: number): Promise<void> {
    while (this.length < length && !this.#ended) {
      if (this.#start + length > this.#buffer.byteLength) this.#moveToFront()
      if (this.#end === this.#buffer.byteLength) await this.#grow()
      await this.#read(Math.min(length, this.#buffer.byteLength - this.#start) - this.length)
    }
  }

  drop(count: number): void {
    this.#start += Math.min(count, this.length)
  }

  /** Hands out the first bytes with their buffer. The window continues with the rest in another buffer. */
  async lend(count: number): Promise<Loan> {
    const lent = this.#buffer
    const isPooled = lent.byteLength === this.#pool.bufferBytes
    const next = isPooled ? await this.#pool.take() : new ArrayBuffer(lent.byteLength)
    const bytes = new Uint8Array(lent, this.#start, count)
    const rest = new Uint8Array(lent, this.#start + count, this.length - count)
    new Uint8Array(next).set(rest)
    this.#buffer = next
    this.#start = 0
    this.#end = rest.length
    const giveBack = () => {
      if (isPooled) this.#pool.giveBack(lent)
    }
    return { bytes, giveBack }
  }

  async #grow(): Promise<void> {
    const bytes = this.#buffer.byteLength * growth
    const isPooled = bytes >= this.#pool.bufferBytes
    const larger = isPooled ? await this.#pool.take() : new ArrayBuffer(bytes)
    new Uint8Array(larger).set(new Uint8Array(this.#buffer))
    this.#buffer = larger
  }

  #moveToFront(): void {
    new Uint8Array(this.#buffer).copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
  }

  async #read(minBytes: number): Promise<void> {
    const { done, value } = await this.#readSource(minBytes)
    // The stream takes the buffer over and returns it as another object.
    if (value) this.#buffer = value.buffer
    this.#end += value?.byteLength ?? 0
    this.#ended = done
  }

  async #readSource(minBytes: number) {
    try {
      return await this.#source.readAtLeast(minBytes, new Uint8Array(this.#buffer, this.#end))
    } catch (cause) {
      throw cause instanceof AppError ? cause : brokenOff(cause)
    }
  }
}

/** Nobody reads this error; it is made because the client caused the failure, which must not be logged as the service's. */
export function brokenOff(cause: unknown): AppError {
  const details = [{ field: 'body', message: 'Was cut off: the connection broke' }]
  return new AppError('ValidationError', 'The body was cut off: the connection broke.', {
    details,
    cause,
  })
}

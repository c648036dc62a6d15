import type { FileHandle } from 'node:fs/promises'

/** Holds some thousand entries, so that most reads need no turn of the event loop. */
const windowBytes = 64 * 1024

/** Reads a file at any place, mostly forwards, and keeps only a small window of it in memory. */
export class ByteWindow {
  readonly size: number
  readonly #read: (target: Buffer, position: number) => Promise<number>
  readonly #window = Buffer.alloc(windowBytes)
  #start = 0
  #length = 0

  private constructor(size: number, read: (target: Buffer, position: number) => Promise<number>) {
    this.size = size
    this.#read = read
  }

  static from(
    size: number,
    read: (target: Buffer, position: number) => Promise<number>,
  ): ByteWindow {
    return new ByteWindow(size, read)
  }

  static ofFile(handle: FileHandle, size: number): ByteWindow {
    return new ByteWindow(size, async (target, position) => {
      const { bytesRead } = await handle.read(target, 0, target.length, position)
      return bytesRead
    })
  }

  static ofBytes(bytes: Buffer): ByteWindow {
    return new ByteWindow(bytes.length, async (target, position) => bytes.copy(target, 0, position))
  }

  /** Another window on the same file. */
  beside(): ByteWindow {
    return new ByteWindow(this.size, this.#read)
  }

  /** A view that the next call may change; shorter at the end of the file, and never longer than a window. */
  async at(position: number, length: number): Promise<Buffer> {
    const known = this.atHand(position, length)
    if (known) return known
    if (position < 0 || position >= this.size) return Buffer.alloc(0)
    this.#length = await this.#read(this.#window, position)
    this.#start = position
    return this.#window.subarray(0, Math.min(length, this.#length))
  }

  /** Like `at`, but does not wait; undefined if the bytes have to be read first. */
  atHand(position: number, length: number): Buffer | undefined {
    const from = position - this.#start
    if (from < 0 || from + length > this.#length) return undefined
    return this.#window.subarray(from, from + length)
  }
}

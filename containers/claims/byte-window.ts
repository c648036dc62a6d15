import type { FileHandle } from 'node:fs/promises'

/** Some thousand entries: what is at hand is looked through without a turn of the event loop. */
const windowBytes = 64 * 1024

/** Reads a file here and there, mostly forwards, and holds no more of it than a window. */
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

  /** A second place in the same file. */
  beside(): ByteWindow {
    return new ByteWindow(this.size, this.#read)
  }

  /** A view that the next call may change; shorter where the file ends. Never more than a window. */
  async at(position: number, length: number): Promise<Buffer> {
    const known = this.atHand(position, length)
    if (known) return known
    if (position < 0 || position >= this.size) return Buffer.alloc(0)
    this.#length = await this.#read(this.#window, position)
    this.#start = position
    return this.#window.subarray(0, Math.min(length, this.#length))
  }

  /** The same without waiting; undefined where it has to be read first. */
  atHand(position: number, length: number): Buffer | undefined {
    const from = position - this.#start
    if (from < 0 || from + length > this.#length) return undefined
    return this.#window.subarray(from, from + length)
  }
}

/**
 * A fixed number of buffers of one size, made when first needed. A caller that finds none waits until one comes back.
 * This keeps an upload's memory flat, however slowly its parts are stored.
 */
export class BufferPool {
  readonly bufferBytes: number
  readonly #free: ArrayBuffer[] = []
  readonly #waiting: ((buffer: ArrayBuffer) => void)[] = []
  #unmade: number

  constructor(bufferBytes: number, count: number) {
    this.bufferBytes = bufferBytes
    this.#unmade = count
  }

  async take(): Promise<ArrayBuffer> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#unmade > 0) {
      this.#unmade--
      return new ArrayBuffer(this.bufferBytes)
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  giveBack(buffer: ArrayBuffer): void {
    const next = this.#waiting.shift()
    if (next) next(buffer)
    else this.#free.push(buffer)
  }
}

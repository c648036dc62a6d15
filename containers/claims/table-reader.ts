import type { ByteWindow } from './byte-window.ts'

const mostRowsAtOnce = 4_096

/**
 * Reads a table of 32-bit numbers row by row. Rows that are already in memory need no turn of the event loop: check
 * `isDry` before every `next`.
 */
export class TableReader {
  readonly #bytes: ByteWindow
  #at: number
  #left: number
  readonly #rowBytes: number
  #rows: Buffer = Buffer.alloc(0)
  #read = 0

  constructor(
    bytes: ByteWindow,
    { at, count }: { at: number; count: number },
    rowBytes: 4 | 8 | 12,
  ) {
    this.#bytes = bytes.beside()
    this.#at = at
    this.#rowBytes = rowBytes
    // Ignore rows that would lie beyond the end of the file.
    this.#left = Math.min(count, Math.floor(Math.max(0, bytes.size - at) / rowBytes))
  }

  get isDry(): boolean {
    return this.#read >= this.#rows.length && this.#left > 0
  }

  get isOver(): boolean {
    return this.#read >= this.#rows.length && this.#left === 0
  }

  async fill(): Promise<void> {
    const rows = Math.min(this.#left, mostRowsAtOnce)
    this.#rows = await this.#bytes.at(this.#at, rows * this.#rowBytes)
    this.#read = 0
    this.#at += rows * this.#rowBytes
    this.#left = this.#rows.length < rows * this.#rowBytes ? 0 : this.#left - rows
  }

  /** One number of the current row. */
  number(place: number): number {
    const at = this.#read + place * 4
    return at + 4 <= this.#rows.length ? this.#rows.readUInt32BE(at) : 0
  }

  next(): void {
    this.#read += this.#rowBytes
  }

  /** Calls `row` for every remaining row. */
  async each(row: () => void): Promise<void> {
    while (!this.isOver) {
      if (this.isDry) await this.fill()
      if (this.#read >= this.#rows.length) return
      row()
      this.next()
    }
  }
}

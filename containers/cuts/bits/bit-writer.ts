/** Bits from one up to but not including another. */
export type BitSpan = { readonly from: number; readonly to: number }

/** Writes what H.264 and HEVC call u(n) and ue(v): 7.2 and 9.1 of H.264. */
export class BitWriter {
  readonly #bytes: Buffer
  /** How many bits were written. */
  at = 0

  constructor(mostBytes: number) {
    this.#bytes = Buffer.alloc(mostBytes)
  }

  /** The lower bits of a number. */
  u(value: number, count: number): void {
    for (let left = count; left > 0;) {
      const room = 8 - (this.at % 8)
      const taken = Math.min(room, left)
      const bits = Math.floor(value / 2 ** (left - taken)) % 2 ** taken
      const byte = Math.floor(this.at / 8)
      this.#bytes.writeUInt8(this.#bytes.readUInt8(byte) | (bits << (room - taken)), byte)
      this.at += taken
      left -= taken
    }
  }

  /** An Exp-Golomb code. */
  ue(value: number): void {
    const zeros = Math.floor(Math.log2(value + 1))
    this.u(0, zeros)
    this.u(value + 1, zeros + 1)
  }

  /** Some bits of other bytes. */
  copy(source: Buffer, { from, to }: BitSpan): void {
    for (let at = from; at < to;) {
      const count = Math.min(8 - (at % 8), to - at)
      this.u(source.readUInt8(Math.floor(at / 8)) >> (8 - (at % 8) - count), count)
      at += count
    }
  }

  /** The bytes written so far, filled up with zeros to a whole byte. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, Math.ceil(this.at / 8))
  }
}

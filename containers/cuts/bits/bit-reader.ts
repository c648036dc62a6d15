import { unless } from '../../errors/unless.ts'

/**
 * Reads what H.264 and HEVC write as u(n), ue(v) and se(v): 7.2 and 9.1 of H.264. Throws a RangeError beyond the end of the
 * bytes.
 */
export class BitReader {
  readonly #bytes: Buffer

  /** How many bits were read. */
  at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  u(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.#bit()
    return value
  }

  flag(): boolean {
    return this.#bit() === 1
  }

  /** An Exp-Golomb code. */
  ue(): number {
    let zeros = 0
    while (this.#bit() === 0) {
      zeros += 1
      if (zeros > 32) throw new RangeError('A number of more than 32 bits')
    }
    return 2 ** zeros - 1 + this.u(zeros)
  }

  /** An Exp-Golomb code that may be negative. */
  se(): number {
    const code = this.ue()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }

  #bit(): number {
    const byte = this.#bytes.readUInt8(Math.floor(this.at / 8))
    return (byte >> (7 - (this.at++ % 8))) & 1
  }
}

/** The result of reading; undefined if the bytes end too early. */
export function unlessCutOff<Found>(read: () => Found): Found | undefined {
  return unless(RangeError, read)
}

/** The Exp-Golomb code with which the bytes begin; 0 if they hold none. */
export function ueIn(bytes: Buffer): number {
  return unlessCutOff(() => new BitReader(bytes).ue()) ?? 0
}

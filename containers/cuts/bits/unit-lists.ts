/** Reads the lists of parameter sets in records of ISO 14496-15. Throws a RangeError beyond the end of the bytes. */
export class UnitLists {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  uint8(): number {
    this.#at += 1
    return this.#bytes.readUInt8(this.#at - 1)
  }

  uint16(): number {
    return this.uint8() * 256 + this.uint8()
  }

  /** Units behind lengths of two bytes. */
  units(count: number): Buffer[] {
    return Array.from({ length: count }, () => {
      const length = this.uint16()
      this.#at += length
      if (this.#at > this.#bytes.length) throw new RangeError('A unit reaches beyond its record')
      return this.#bytes.subarray(this.#at - length, this.#at)
    })
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** Units with lengths of two bytes before them. */
export function withLengths(units: readonly Buffer[]): Buffer[] {
  return units.flatMap((unit) => [uint16(unit.length), unit])
}

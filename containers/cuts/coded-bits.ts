/** Takes out the bytes which keep the start of a unit from being found within it. */
export function withoutEscapes(unit: Buffer): Buffer {
  const plain = Buffer.alloc(unit.length)
  let [length, zeros] = [0, 0]
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    plain[length++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return plain.subarray(0, length)
}

/** Puts these bytes back in. */
export function withEscapes(plain: Buffer): Buffer {
  const unit = Buffer.alloc(plain.length + Math.floor(plain.length / 2) + 1)
  let [length, zeros] = [0, 0]
  for (const byte of plain) {
    if (zeros >= 2 && byte <= 3) {
      unit[length++] = 3
      zeros = 0
    }
    unit[length++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return unit.subarray(0, length)
}

/** A text of zeros and ones for some bytes. */
export function bitsOf(bytes: Buffer): string {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
}

export function bytesOfBits(bits: string): Buffer {
  return Buffer.from(
    Array.from({ length: bits.length / 8 }, (_, i) =>
      Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2),
    ),
  )
}

/** Takes out emulation_prevention_three_byte: H.264, 7.4.1. */
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

/** An Exp-Golomb code as a text of zeros and ones. */
export function ueCode(value: number): string {
  const binary = (value + 1).toString(2)
  return '0'.repeat(binary.length - 1) + binary
}

/** Puts other bits in the place of those from `from` up to `to`. What follows ends with its last one, as all units do. */
export function replaceBits(
  plain: Buffer,
  { from, to }: { from: number; to: number },
  bits: string,
): Buffer {
  const first = Math.floor(from / 8)
  const begin = bitsOf(plain.subarray(first, first + 1)).slice(0, from % 8) + bits
  const whole = begin.length - (begin.length % 8)
  const rest = shiftedBits(plain, to, begin.slice(whole))
  return Buffer.concat([plain.subarray(0, first), bytesOfBits(begin.slice(0, whole)), rest])
}

/** The bits from `from` to the end, behind fewer than eight other ones. */
function shiftedBits(plain: Buffer, from: number, before: string): Buffer {
  const source = plain.subarray(Math.floor(from / 8))
  const shift = (from % 8) - before.length
  const bytes = Buffer.alloc(source.length + 1)
  for (let i = 0; i < bytes.length; i++) {
    const [last = 0, here = 0, next = 0] = [source[i - 1], source[i], source[i + 1]]
    bytes[i] =
      shift >= 0
        ? (here << shift) | (next >> (8 - shift))
        : (last << (8 + shift)) | (here >> -shift)
  }
  const mask = 255 >> before.length
  bytes[0] = ((bytes[0] ?? 0) & mask) | (Number.parseInt(before.padEnd(8, '0'), 2) & ~mask)
  return withoutTrailingZeros(bytes)
}

/** Units end with a one; zeros behind it mean nothing. */
export function withoutTrailingZeros(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

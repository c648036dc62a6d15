import { BitWriter } from './bit-writer.ts'

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

/** Puts these bytes in again. */
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

/** Replaces the bits from `from` up to `to`; keeps the rest up to the trailing one bit. */
export function replaceBits(
  plain: Buffer,
  { from, to }: { from: number; to: number },
  write: (writer: BitWriter) => void,
): Buffer {
  const writer = new BitWriter(plain.length + mostAddedBytes)
  writer.copy(plain, { from: 0, to: from })
  write(writer)
  writer.copy(plain, { from: to, to: plain.length * 8 })
  return withoutTrailingZeros(writer.bytes())
}

const mostAddedBytes = 64

/** Removes zeros at the end, which mean nothing: units end with a one. */
export function withoutTrailingZeros(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

/** A box of an MP4 file: its four letters, and what is in it. */
export type Mp4Box = { readonly type: string; readonly body: Buffer }

/** Reads the boxes that lie side by side; what is too short to be one ends the list. */
export function boxesIn(bytes: Buffer): Mp4Box[] {
  const found: Mp4Box[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= bytes.length
    const head = isLong ? 16 : 8
    const size = isLong
      ? Number(bytes.readBigUInt64BE(at + 8))
      : short === 0
        ? bytes.length - at
        : short
    if (size < head || at + size > bytes.length) break
    found.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + head, at + size),
    })
    at += size
  }
  return found
}

/** The content of the first box at the end of a path such as `moov`, `trak`, `tkhd`. */
export function boxAt(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>(
    (inside, type) => inside && boxesIn(inside).find((box) => box.type === type)?.body,
    bytes,
  )
}

export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([uint32(size), Buffer.from(type, 'latin1'), ...parts])
}

/** A box in parts, because the tables of long films would be copied again for every box around them. */
export function boxInParts(type: string, ...parts: readonly (Buffer | readonly Buffer[])[]) {
  const inside = parts.flat()
  const size = inside.reduce((sum, { length }) => sum + length, 8)
  return [Buffer.concat([uint32(size), Buffer.from(type, 'latin1')]), ...inside]
}

/** A box that begins with its version and its flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]) {
  return box(type, uint32(version * 2 ** 24 + flags), ...parts)
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4))
  return bytes
}

export function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

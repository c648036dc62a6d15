import type { FileHandle } from 'node:fs/promises'

/** The fields in the first 16 bytes of a box: ISO/IEC 14496-12, 4.2. */
type BoxHead = {
  readonly type: string
  /** size, or largesize if that is 1: including its head; infinite if it is 0, so that the box extends to the end of its parent. */
  readonly bytes: number
  readonly headBytes: number
}

export function boxHead(head: Buffer): BoxHead {
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  if (short === 1 && head.length >= 16) {
    return { type, bytes: Number(head.readBigUInt64BE(8)), headBytes: 16 }
  }
  return { type, bytes: short === 0 ? Infinity : short, headBytes: 8 }
}

export type TopBox = BoxHead & { readonly offset: number }

/** The outermost boxes of a file, up to one whose length cannot be right. */
export async function* topBoxes(file: FileHandle): AsyncGenerator<TopBox> {
  const bytes = Buffer.alloc(16)
  for (let offset = 0; Number.isFinite(offset);) {
    const { bytesRead } = await file.read(bytes, 0, 16, offset)
    if (bytesRead < 8) return
    const head = boxHead(bytes.subarray(0, bytesRead))
    if (head.bytes < head.headBytes) return
    yield { ...head, offset }
    offset += head.bytes
  }
}

/** The content of a box; undefined if the file ends before it does. */
export async function readBody(file: FileHandle, box: TopBox): Promise<Buffer | undefined> {
  const body = Buffer.alloc(box.bytes - box.headBytes)
  const { bytesRead } = await file.read(body, 0, body.length, box.offset + box.headBytes)
  return bytesRead === body.length ? body : undefined
}

/** A box of an MP4 file: its four letters, and its content. */
export type Mp4Box = { readonly type: string; readonly body: Buffer }

/** Reads consecutive boxes; a rest that is too short to be one ends the list. */
export function boxesIn(bytes: Buffer): Mp4Box[] {
  const found: Mp4Box[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const { type, headBytes, bytes: told } = boxHead(bytes.subarray(at, at + 16))
    const size = told === Infinity ? bytes.length - at : told
    if (size < headBytes || at + size > bytes.length) break
    found.push({ type, body: bytes.subarray(at + headBytes, at + size) })
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

/** A box in parts, because the tables of long films would otherwise be copied again for every box around them. */
export function boxInParts(type: string, ...parts: readonly (Buffer | readonly Buffer[])[]) {
  const inside = parts.flat()
  const size = inside.reduce((sum, { length }) => sum + length, 8)
  return [Buffer.concat([uint32(size), Buffer.from(type, 'latin1')]), ...inside]
}

/** A box that begins with its version and its flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]) {
  return box(type, uint32(version * 2 ** 24 + flags), ...parts)
}

/** timescale of an mvhd or an mdhd (8.2.2.2, 8.4.2.2): behind two times, which have 64 bits in version 1. */
export function timescaleOf(header: Buffer): number {
  return header.readUInt32BE(header[0] === 1 ? 20 : 12)
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

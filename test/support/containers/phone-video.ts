import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** How a phone was held: the upper left of a display matrix (ISO/IEC 14496-12, 8.3.2), as rows `[a, b, c, d]`. */
export const displayMatrices = {
  upright: [1, 0, 0, 1],
  'turned by 90': [0, 1, -1, 0],
  'turned by 180': [-1, 0, 0, -1],
  'turned by 270': [0, -1, 1, 0],
  'mirrored left to right': [-1, 0, 0, 1],
  'mirrored top to bottom': [1, 0, 0, -1],
  'mirrored and turned by 90': [0, 1, 1, 0],
  'mirrored and turned by 270': [0, -1, -1, 0],
} as const

export type DisplayMatrix = (typeof displayMatrices)[keyof typeof displayMatrices]

/** What a phone says of its pictures in boxes of the sample entry; ffprobe lists each as side data of the stream. */
export const sampleEntryBoxes = {
  /** Profile 8.4, which plays as HLG without Dolby Vision. */
  'Dolby Vision': box('dvvC', Buffer.from([1, 0, 8 << 1, (4 << 3) | 0b101, 4 << 4]), 24),
  'mastering display': box(
    'mdcv',
    Buffer.from('2134 9baa 1996 08fc 8a48 3908 3d13 4042'.replaceAll(' ', ''), 'hex'),
    24,
  ),
  'content light level': box('clli', Buffer.from([0x03, 0xe8, 0x01, 0x90]), 4),
} as const

/** Rewrites an MP4 whose `moov` is behind its `mdat`, as a phone would have written it. */
export async function asPhoneWrites(
  file: string,
  matrix: DisplayMatrix,
  boxes: readonly Buffer[],
): Promise<string> {
  const bytes = await readFile(file)
  const moov = find(bytes, ['moov'])
  const header = find(bytes, ['moov', 'trak', 'tkhd']).at(-1) ?? 0
  // Version and flags, five times of four bytes, two reserved, layer, group, volume, reserved: then the matrix.
  for (const [place, value] of [0, 1, 3, 4].map((cell, i) => [cell, matrix[i] ?? 0] as const)) {
    bytes.writeInt32BE(value * 0x10000, header + 8 + 40 + place * 4)
  }
  const added = Buffer.concat(boxes)
  const entry = find(bytes, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', '*'])
  const at = (entry.at(-1) ?? 0) + bytes.readUInt32BE(entry.at(-1))
  for (const outer of entry) bytes.writeUInt32BE(bytes.readUInt32BE(outer) + added.length, outer)
  if ((moov[0] ?? 0) < (find(bytes, ['mdat'])[0] ?? 0)) throw new Error('moov comes before mdat')
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-phone-'))
  const written = path.join(folder, 'phone.mp4')
  await writeFile(written, Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]))
  return written
}

function box(type: string, content: Buffer, size: number): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + size)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content, Buffer.alloc(size - content.length)])
}

/** Where each box on a path begins, from the outermost on; `*` is the first box of any type. */
function find(
  bytes: Buffer,
  [type, ...inner]: readonly string[],
  from = 0,
  to = bytes.length,
): number[] {
  for (let at = from; at < to; at += bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (type !== '*' && name !== type) continue
    if (inner.length === 0) return [at]
    return [at, ...find(bytes, inner, at + (name === 'stsd' ? 16 : 8), at + bytes.readUInt32BE(at))]
  }
  throw new Error(`There is no ${type}`)
}

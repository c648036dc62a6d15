import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { box, fullBox } from '../../../../containers/cuts/mp4/boxes.ts'

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

/** The configuration of Dolby Vision; `compatible` says what the pictures are without it. */
export function dolbyVision(profile: number, compatible: number): Buffer {
  const content = Buffer.from([1, 0, profile << 1, (4 << 3) | 0b101, compatible << 4])
  return box(profile < 8 ? 'dvcC' : 'dvvC', content, Buffer.alloc(24 - content.length))
}

/** What cameras say of their pictures in boxes of the sample entry; ffprobe lists each as side data of the stream. */
export const sampleEntryBoxes = {
  'two eyes': fullBox('st3d', 0, 0, Buffer.from([2])),
  sphere: box(
    'sv3d',
    fullBox('svhd', 0, 0, Buffer.from('a camera\0')),
    box('proj', fullBox('prhd', 0, 0, Buffer.alloc(12)), fullBox('equi', 0, 0, Buffer.alloc(16))),
  ),
  'mastering display': box(
    'mdcv',
    Buffer.from('2134 9baa 1996 08fc 8a48 3908 3d13 4042'.replaceAll(' ', ''), 'hex'),
    Buffer.alloc(8),
  ),
  'content light level': box('clli', Buffer.from([0x03, 0xe8, 0x01, 0x90])),
} as const

/** Where the matrix begins in each header of version 0, behind times, layer and volume. */
const matrixAt = { tkhd: 48, mvhd: 44 } as const

/** Rewrites an MP4 or MOV whose `moov` is behind its `mdat`, as a phone would have written it. */
export async function asPhoneWrites(
  file: string,
  matrix: readonly number[],
  boxes: readonly Buffer[],
  header: keyof typeof matrixAt = 'tkhd',
): Promise<string> {
  const bytes = await readFile(file)
  const moov = find(bytes, ['moov'])
  const head = find(bytes, header === 'tkhd' ? ['moov', 'trak', 'tkhd'] : ['moov', 'mvhd']).at(-1)
  for (const [i, cell] of [0, 1, 3, 4].entries()) {
    const value = Math.round((matrix[i] ?? 0) * 0x10000)
    bytes.writeInt32BE(value, (head ?? 0) + matrixAt[header] + cell * 4)
  }
  const added = Buffer.concat(boxes)
  const entry = find(bytes, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', '*'])
  const at = (entry.at(-1) ?? 0) + bytes.readUInt32BE(entry.at(-1))
  for (const outer of entry) bytes.writeUInt32BE(bytes.readUInt32BE(outer) + added.length, outer)
  if ((moov[0] ?? 0) < (find(bytes, ['mdat'])[0] ?? 0)) throw new Error('moov comes before mdat')
  return written(file, Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]))
}

/** Writes into a WebM that names its colours, in the place where it does, how its pictures are rolled. */
export async function rolledWebm(file: string, degrees: number): Promise<string> {
  const bytes = await readFile(file)
  const roll = Buffer.alloc(4)
  roll.writeFloatBE(degrees)
  const content = Buffer.concat([element(0x7671, Buffer.from([0])), element(0x7675, roll)])
  const colorAt = bytes.indexOf(Buffer.from([0x55, 0xb0]))
  const colorEnd = colorAt + 3 + ((bytes[colorAt + 2] ?? 0) & 0x7f)
  const projection = element(0x7670, content)
  const left = colorEnd - colorAt - projection.length
  const rest = Buffer.concat([Buffer.from([0xec, 0x80 | (left - 2)]), Buffer.alloc(left - 2)])
  const [before, after] = [bytes.subarray(0, colorAt), bytes.subarray(colorEnd)]
  return written(file, Buffer.concat([before, projection, rest, after]))
}

/** An element of Matroska with an id of two bytes. */
function element(id: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([id >> 8, id & 255, 0x80 | content.length]), content])
}

async function written(like: string, bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-phone-'))
  const file = path.join(folder, `phone${path.extname(like)}`)
  await writeFile(file, bytes)
  return file
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

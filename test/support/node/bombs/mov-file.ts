/** One box of MP4 and MOV. */
export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, i * 4))
  return bytes
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, i) => bytes.writeUInt16BE(value, i * 2))
  return bytes
}

export function le32(...values: readonly number[]): Buffer {
  return u32(...values).swap32()
}

export function times(count: number, bytes: Uint8Array): Buffer {
  return Buffer.alloc(count * bytes.length, bytes)
}

/** A table: version and flags, the number of rows, the rows. */
export function table(type: string, rows: readonly (readonly number[])[]): Buffer {
  return box(type, u32(0, rows.length), u32(...rows.flat()))
}

/** A table that repeats one row. */
export function repeated(type: string, count: number, row: Uint8Array): Buffer {
  return box(type, u32(0, count), times(count, row))
}

export type MovTrack = {
  kind: 'vide' | 'soun' | 'text'
  id: number
  /** The duration of the media, and what the header says about it. */
  timescale?: number
  claimedSeconds?: number
  stts: Uint8Array
  stsc: Uint8Array
  stsz: Uint8Array
  stco: Uint8Array
  more?: Uint8Array
  /** Boxes next to `tkhd`: edit lists, references. */
  beside?: Uint8Array
}

const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

const descriptions = {
  vide: (side: number) =>
    box(
      'jpeg',
      ...[Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(side, side)],
      ...[u32(0x480000, 0x480000, 0), u16(1), Buffer.alloc(32), u16(24, 0xffff)],
    ),
  soun: () =>
    box('ulaw', Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(1, 16, 0, 0), u32(8_000 << 16)),
  text: () => box('text', Buffer.alloc(6), u16(1), Buffer.alloc(43)),
}
const mediaHeaders = {
  vide: box('vmhd', u32(1, 0, 0)),
  soun: box('smhd', u32(0, 0)),
  text: box('gmhd', box('gmin', u32(0, 0, 0, 0))),
}

const movieTimescale = 600

const side = 64

export function trak(track: MovTrack): Buffer {
  const { kind, id, timescale = 600, claimedSeconds = 2 } = track
  const seconds = claimedSeconds * movieTimescale
  const tkhd = [
    u32(15, 0, 0, id, 0, seconds),
    Buffer.alloc(16),
    matrix,
    u32(side << 16, side << 16),
  ]
  const stsd = box('stsd', u32(0, 1), descriptions[kind](side))
  const { stts, stsc, stsz, stco, more = Buffer.alloc(0), beside = Buffer.alloc(0) } = track
  return box(
    'trak',
    box('tkhd', ...tkhd),
    beside,
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, timescale, claimedSeconds * timescale, 0)),
      box('hdlr', u32(0), Buffer.from(`mhlr${kind}`), Buffer.alloc(13)),
      box(
        'minf',
        mediaHeaders[kind],
        box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))),
        box('stbl', stsd, stts, stsc, stsz, stco, more),
      ),
    ),
  )
}

/** A MOV whose media come before its header, so that their position is known: the first byte is at `mediaAt`. */
export function movFile(media: Uint8Array, ...header: readonly Uint8Array[]): Buffer {
  const mvhd = box(
    'mvhd',
    ...[u32(0, 0, 0, movieTimescale, 2 * movieTimescale, 0x10000), u16(0x100), Buffer.alloc(10)],
    ...[matrix, Buffer.alloc(24), u32(2)],
  )
  return Buffer.concat([fileType, box('mdat', media), box('moov', mvhd, ...header)])
}

const fileType = box('ftyp', Buffer.from('qt  '), u32(0x200), Buffer.from('qt  '))
export const mediaAt = fileType.length + 8

/** A small file that claims a lot, and the text that its refusal must contain. It is made only when it is asked for, because some take a second. */
export type Bomb = { readonly bytes: () => Buffer; readonly says: RegExp }

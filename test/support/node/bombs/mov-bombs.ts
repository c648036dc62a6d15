import {
  box,
  mediaAt,
  movFile,
  repeated,
  table,
  trak,
  u32,
  type Bomb,
  type MovTrack,
} from './mov-file.ts'

/** A track of one picture, shown as the tables say. */
type Tables = Partial<Pick<MovTrack, 'stts' | 'stsc' | 'stsz' | 'stco' | 'more' | 'beside'>>

function pictures(jpeg: Buffer, count: number, tables: Tables = {}): MovTrack {
  return {
    ...{ kind: 'vide', id: 1 },
    stts: table('stts', [[count, 600 / 25]]),
    stsc: table('stsc', [[1, 1, 1]]),
    stsz: box('stsz', u32(0, jpeg.length, count)),
    stco: repeated('stco', count, u32(mediaAt)),
    ...tables,
  }
}

/** The same picture many times, honestly stored, and more in the header. */
export function honestMov(jpeg: Buffer, ...more: readonly Uint8Array[]): Buffer {
  const count = 50
  const offsets = Array.from({ length: count }, (_, i) => [mediaAt + i * jpeg.length])
  const track = trak(pictures(jpeg, count, { stco: table('stco', offsets) }))
  return movFile(Buffer.concat(offsets.map(() => jpeg)), track, ...more)
}

/** All chunks are at the same place. */
function sameChunk(jpeg: Buffer, chunks: number, perChunk: number): Buffer {
  const count = chunks * perChunk
  const tables = {
    stts: table('stts', [[count, 1]]),
    stsc: table('stsc', [[1, perChunk, 1]]),
    stco: repeated('stco', chunks, u32(mediaAt)),
  }
  return movFile(jpeg, trak(pictures(jpeg, count, tables)))
}

const most = 0x7fffffff

function sounds(count: number, bytesEach: number): MovTrack {
  return {
    ...{ kind: 'soun', id: 2, timescale: 8_000 },
    // Two rows, because a single one would mean raw sound, which is read in larger pieces.
    stts: table('stts', [
      [1, 2],
      [count - 1, 1],
    ]),
    stsc: table('stsc', [[1, count, 1]]),
    stsz: box('stsz', u32(0, bytesEach, count)),
    stco: table('stco', [[mediaAt]]),
  }
}

function texts(jpeg: Buffer, count: number): MovTrack {
  return {
    ...{ kind: 'text', id: 2 },
    stts: table('stts', [[count, 1]]),
    stsc: table('stsc', [[1, 1, 1]]),
    stsz: box('stsz', u32(0, 2, count)),
    stco: repeated('stco', count, u32(mediaAt + jpeg.length - 2)),
  }
}

function fragment(jpeg: Buffer, count: number): Buffer {
  const mvex = box('mvex', box('trex', u32(0, 1, 1, 24, jpeg.length, 0)))
  const empty = pictures(jpeg, 0, { stts: table('stts', []), stsz: box('stsz', u32(0, 0, 0)) })
  const traf = box('traf', box('tfhd', u32(0x20000, 1)), box('trun', u32(0, count)))
  const moof = box('moof', box('mfhd', u32(0, 1)), traf)
  return Buffer.concat([movFile(jpeg, trak(empty), mvex), moof, box('mdat', jpeg)])
}

function cover(jpeg: Buffer, count: number): Buffer {
  const picture = box('data', u32(13, 0), jpeg)
  const covers = box('covr', ...Array.from({ length: count }, () => picture))
  return box(
    'udta',
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('mdirappl'), Buffer.alloc(9)),
      box('ilst', covers),
    ),
  )
}

const tag = (text: string) =>
  box('\u00a9nam', Buffer.from([text.length >> 8, text.length, 0, 0]), Buffer.from(text))

export function movBombs(jpeg: Buffer): Record<string, Bomb> {
  const elst = (count: number) => box('edts', repeated('elst', count, u32(1200, 0, 0x10000)))
  return {
    'chunks at the same bytes': { bytes: () => sameChunk(jpeg, 66_000, 30), says: /over and over/ },
    'an index of 134 million': {
      bytes: () => sameChunk(jpeg, 200_000, 670),
      says: /134,000,000 pieces .+ at most 2,000,000/,
    },
    'sizes for two billion': {
      bytes: () => movFile(jpeg, trak(pictures(jpeg, 1, { stsz: box('stsz', u32(0, 1, most)) }))),
      says: /2,147,483,647 pieces/,
    },
    'a sound of two million pieces': {
      bytes: () => movFile(jpeg, trak(pictures(jpeg, 1)), trak(sounds(2_000_001, 1))),
      says: /2,000,001 pieces/,
    },
    'five thousand tracks': {
      bytes: () =>
        movFile(
          jpeg,
          ...Array.from({ length: 5_000 }, (_, i) => trak({ ...pictures(jpeg, 1), id: i + 1 })),
        ),
      says: /101 streams; at most 100/,
    },
    'half a million chapters': {
      bytes: () =>
        movFile(
          jpeg,
          trak(pictures(jpeg, 1, { beside: box('tref', box('chap', u32(2))) })),
          trak(texts(jpeg, 500_000)),
        ),
      says: /500,000 chapters/,
    },
    'a million edits': {
      bytes: () => movFile(jpeg, trak(pictures(jpeg, 1, { beside: elst(1_000_000) }))),
      says: /1,000,000 parts in an edit list/,
    },
    'five thousand edits of ten thousand pictures': {
      bytes: () =>
        movFile(
          Buffer.alloc(jpeg.length * 10_000, jpeg),
          trak(
            pictures(jpeg, 10_000, {
              stsc: table('stsc', [[1, 10_000, 1]]),
              stts: table('stts', [[10_000, 1]]),
              stco: table('stco', [[mediaAt]]),
              beside: box('edts', repeated('elst', 5_000, u32(10_000, 0, 0x10000))),
            }),
          ),
        ),
      says: /pieces of picture or sound in one stream/,
    },
    'three hundred thousand tags': {
      bytes: () => honestMov(jpeg, box('udta', Buffer.alloc(300_000 * 16, tag('abcd')))),
      says: /10,001 tags/,
    },
    'five hundred covers': { bytes: () => honestMov(jpeg, cover(jpeg, 500)), says: /101 streams/ },
    'a fragment of two billion': {
      bytes: () => fragment(jpeg, most),
      says: /2,147,483,647 pieces/,
    },
    'pictures far apart': {
      bytes: () =>
        movFile(
          jpeg,
          trak(
            pictures(jpeg, 2, {
              stts: table('stts', [[2, 0x7fffff00]]),
              stco: table('stco', [[mediaAt], [mediaAt]]),
            }),
          ),
        ),
      says: /seconds long; at most 14400/,
    },
  }
}

/** Files with harmless lies, which are valid videos all the same. */
export function harmlessMovs(jpeg: Buffer): Record<string, Buffer> {
  const honest = (tables: Tables) => {
    const offsets = Array.from({ length: 50 }, (_, i) => [mediaAt + i * jpeg.length])
    const track = pictures(jpeg, 50, { stco: table('stco', offsets), ...tables })
    return movFile(Buffer.alloc(jpeg.length * 50, jpeg), trak(track))
  }
  return {
    'composition times for two billion': honest({ more: table('ctts', [[most, 0]]) }),
    'a tag of eight megabytes': honestMov(
      jpeg,
      box('udta', box('\u00a9xyz', Buffer.alloc(8_000_000, '+12'))),
    ),
    'one cover': honestMov(jpeg, cover(jpeg, 1)),
  }
}

import { le32, times, type Bomb } from './mov-file.ts'

function chunk(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

const list = (type: string, ...parts: readonly Uint8Array[]) =>
  chunk('LIST', Buffer.from(type), ...parts)

const le16 = (...values: readonly number[]) => Buffer.from(new Uint16Array(values).buffer)

function streamList(pictures: number, ...more: readonly Uint8Array[]): Buffer {
  const strh = chunk(
    'strh',
    Buffer.from('vidsMJPG'),
    le32(0, 0, 0, 1, 25, 0, pictures, 1 << 20, 0, 0),
    le16(0, 0, 64, 64),
  )
  const strf = chunk(
    'strf',
    le32(40, 64, 64),
    le16(1, 24),
    Buffer.from('MJPG'),
    le32(64 * 64 * 3, 0, 0, 0, 0),
  )
  return list('strl', strh, strf, ...more)
}

type Parts = { streams?: readonly Uint8Array[]; behind?: readonly Uint8Array[] }

/** An AVI of the same picture in a row. */
function aviFile(jpeg: Buffer, { streams = [streamList(50)], behind = [] }: Parts): Buffer {
  const avih = chunk('avih', le32(40_000, 0, 0, 0x10, 50, 0, 1, 1 << 20, 64, 64, 0, 0, 0, 0))
  const header = list('hdrl', avih, ...streams)
  const movi = list('movi', ...Array.from({ length: 50 }, () => chunk('00dc', jpeg)))
  return chunk('RIFF', Buffer.from('AVI '), header, movi, ...behind)
}

/** The first fifty pictures in turn. */
function indexEntries(jpeg: Buffer): Buffer {
  const each = jpeg.length + (jpeg.length % 2) + 8
  const entry = (i: number) =>
    Buffer.concat([Buffer.from('00dc'), le32(0x10, 4 + i * each, jpeg.length)])
  return Buffer.concat(Array.from({ length: 50 }, (_, i) => entry(i)))
}

export function honestAvi(jpeg: Buffer): Buffer {
  return aviFile(jpeg, {})
}

/** Small files that claim a lot: each with the text that the refusal must contain. */
export function aviBombs(jpeg: Buffer): Record<string, Bomb> {
  const entries = indexEntries(jpeg)
  // The index of indexes is at a known position: after RIFF, the list, its main header and the stream's header.
  const ix = Buffer.concat([
    Buffer.from('ix00'),
    le32(24 + 8),
    le16(2),
    Buffer.from([0, 1]),
    le32(3_000_000),
    Buffer.from('00dc'),
    le32(0, 0, 0),
  ])
  const superIndex = (at: number) =>
    chunk(
      'indx',
      le16(4),
      Buffer.from([0, 0]),
      le32(2_000),
      Buffer.from('00dc'),
      le32(0, 0, 0),
      times(2_000, Buffer.concat([le32(at, 0), le32(32, 100)])),
    )
  const superBomb = (at: number) =>
    aviFile(jpeg, { streams: [streamList(50, superIndex(at))], behind: [chunk('JUNK', ix)] })
  const place = superBomb(0).indexOf(ix)
  return {
    'an index of five million': {
      bytes: () => aviFile(jpeg, { behind: [chunk('idx1', times(100_000, entries))] }),
      says: /5,000,000 pieces/,
    },
    'an index of indexes': {
      bytes: () => superBomb(place),
      says: /pieces of picture and sound in its index/,
    },
    'five thousand streams': {
      bytes: () => aviFile(jpeg, { streams: Array.from({ length: 5_000 }, () => streamList(1)) }),
      says: /101 streams/,
    },
    'half a million tags': {
      bytes: () =>
        aviFile(jpeg, {
          behind: [list('INFO', times(500_000, chunk('INAM', Buffer.from('ab'))))],
        }),
      says: /10,001 tags/,
    },
  }
}

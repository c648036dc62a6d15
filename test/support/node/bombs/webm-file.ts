import { times, type Bomb, u32 } from './mov-file.ts'

/** One element of WebM; its length in eight bytes. */
export function element(id: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length))
  size[0] = 0x01
  return Buffer.concat([idBytes(id), size, body])
}

function idBytes(id: number): Buffer {
  const bytes = u32(id)
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0))
}

const number = (id: number, value: number) => element(id, Buffer.from([value >> 8, value & 0xff]))
const text = (id: number, value: string) => element(id, Buffer.from(value))

const head = element(0x1a45dfa3, text(0x4282, 'webm'), number(0x4287, 4), number(0x4285, 2))

function trackEntry(id: number): Buffer {
  const picture = element(0xe0, number(0xb0, 64), number(0xba, 64))
  return element(
    0xae,
    number(0xd7, id),
    number(0x73c5, id),
    number(0x83, 1),
    text(0x86, 'V_VP8'),
    picture,
  )
}

/** A WebM with these parts in its segment, and a VP8 picture that cannot be decoded. */
function webmFile(...parts: readonly Uint8Array[]): Buffer {
  const info = element(
    0x1549a966,
    element(0x2ad7b1, Buffer.from([0x0f, 0x42, 0x40])),
    text(0x4d80, 'x'),
    text(0x5741, 'x'),
  )
  return Buffer.concat([head, element(0x18538067, info, ...parts)])
}

const tracks = element(0x1654ae6b, trackEntry(1))

/** `SimpleBlock` of track 1 with one byte of picture. */
const block = Buffer.from([0xa3, 0x85, 0x81, 0x00, 0x00, 0x80, 0x00])
const cluster = (count: number) => element(0x1f43b675, number(0xe7, 0), times(count, block))

/** Small files that claim a lot: each with the text that the refusal must contain. */
export function webmBombs(): Record<string, Bomb> {
  const chapter = element(0xb6, number(0x73c4, 1))
  const chapters = element(0x1043a770, element(0x45b9, times(200_000, chapter)))
  const tag = element(0x67c8, text(0x45a3, 'NAME'), text(0x4487, 'v'))
  const file = element(
    0x61a7,
    text(0x466e, 'a.jpg'),
    text(0x4660, 'image/jpeg'),
    element(0x465c, block),
  )
  return {
    'five thousand tracks': {
      bytes: () =>
        webmFile(
          element(0x1654ae6b, ...Array.from({ length: 5_000 }, (_, i) => trackEntry(i + 1))),
        ),
      says: /101 streams/,
    },
    'two hundred thousand chapters': {
      bytes: () => webmFile(tracks, chapters),
      says: /10,001 chapters/,
    },
    'two hundred thousand tags': {
      bytes: () => webmFile(tracks, element(0x1254c367, element(0x7373, times(200_000, tag)))),
      says: /10,001 tags/,
    },
    'five hundred attached pictures': {
      bytes: () => webmFile(tracks, element(0x1941a469, times(500, file))),
      says: /101 streams/,
    },
    'three million tiny blocks': {
      bytes: () => webmFile(tracks, ...Array.from({ length: 60 }, () => cluster(50_000))),
      says: /cannot be decoded|decoding the first picture takes longer|pieces of picture/,
    },
  }
}

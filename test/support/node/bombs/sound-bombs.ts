import { le32, times, u32 } from './mov-file.ts'

type Bomb = { readonly bytes: Buffer; readonly says: RegExp }

const safe = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f))

export function id3Tag(
  body: Buffer,
  { version = 3, claims = body.length }: { version?: number; claims?: number } = {},
): Buffer {
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, 0]), safe(claims), body])
}

export function id3Frame(name: string, body: Buffer, { version = 3, flags = 0 } = {}): Buffer {
  const length = version === 4 ? safe(body.length) : u32(body.length)
  return Buffer.concat([Buffer.from(name), length, Buffer.from([0, flags]), body])
}

const text = Buffer.from('\0text')

/** Tags that claim a lot in front of the sound: each with the text that the refusal must contain. */
export function id3Bombs(sound: Buffer): Record<string, Bomb> {
  const before = (tag: Buffer, says: RegExp) => ({ bytes: Buffer.concat([tag, sound]), says })
  const chapter = Buffer.concat([Buffer.from('a\0'), Buffer.alloc(16)])
  const parts = times(11_000, id3Frame('TIT2', text))
  return {
    'a tag of 256 MB in a small file': {
      bytes: Buffer.concat([id3Tag(Buffer.alloc(0), { claims: 2 ** 28 - 1 }), sound]),
      says: /has 268,435,455 bytes of tags and cover pictures; at most 100,000,000/,
    },
    'eleven thousand tags': before(
      id3Tag(times(11_000, id3Frame('TXXX', text))),
      /has 10,001 tags; at most 10,000/,
    ),
    'eleven thousand tags behind a filled-up place, in version 4': before(
      id3Tag(
        Buffer.concat([Buffer.alloc(100), times(11_000, id3Frame('TIT2', text, { version: 4 }))]),
        { version: 4 },
      ),
      /has 10,001 tags/,
    ),
    'two hundred covers': before(
      id3Tag(times(200, id3Frame('APIC', Buffer.from('\0image/png\0\0\0a')))),
      /has 101 streams/,
    ),
    'a frame that unpacks to 4 GB': before(
      id3Tag(id3Frame('TIT2', Buffer.concat([u32(0xffffffff), text]), { flags: 9 })),
      /has 4,294,967,3\d\d bytes of tags/,
    ),
    'tags within a chapter': before(
      id3Tag(id3Frame('CHAP', Buffer.concat([chapter, parts]))),
      /has 10,001 tags/,
    ),
    'eleven thousand chapters': before(
      id3Tag(times(11_000, id3Frame('CHAP', chapter))),
      /has 10,001 (tags|chapters)/,
    ),
  }
}

const chunk = (type: string, body: Buffer, length = body.length) =>
  Buffer.concat([Buffer.from(type), le32(length), body, Buffer.alloc(body.length % 2)])

/** An honest WAV with these chunks in front of its sound. */
export function wavWith(wav: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([wav.subarray(0, 12), ...chunks, wav.subarray(12)])
}

export function wavBombs(wav: Buffer): Record<string, Bomb> {
  const info = (...body: readonly Buffer[]) =>
    chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...body]))
  const tag = chunk('INAM', Buffer.from('ab'))
  return {
    'eleven thousand tags': {
      bytes: wavWith(wav, info(times(11_000, tag))),
      says: /has 10,001 tags/,
    },
    'eleven thousand tags behind an odd one': {
      bytes: wavWith(wav, info(Buffer.from('INAM\x01\0\0\0a'), times(11_000, tag))),
      says: /has 10,001 tags/,
    },
    'tags behind the sound, in ID3': {
      bytes: Buffer.concat([wav, chunk('id3 ', id3Tag(times(11_000, id3Frame('TIT2', text))))]),
      says: /has 10,001 tags/,
    },
    'a history of 4 GB': {
      bytes: wavWith(wav, chunk('bext', Buffer.alloc(602), 0xfffffff0)),
      says: /has 4,294,967,280 bytes of tags/,
    },
    'a million chunks': {
      bytes: wavWith(wav, times(1_000_001, chunk('junk', Buffer.alloc(0)))),
      says: /has 1,000,001 parts in its header/,
    },
  }
}

const block = (type: number, body: Buffer) =>
  Buffer.concat([Buffer.from([type]), u32(body.length).subarray(1), body])

/** An honest FLAC with these blocks behind the first, which describes the sound. */
export function flacWith(flac: Buffer, ...blocks: readonly Buffer[]): Buffer {
  const first = 4 + 4 + 34
  return Buffer.concat([flac.subarray(0, first), ...blocks, flac.subarray(first)])
}

export function flacBombs(flac: Buffer): Record<string, Bomb> {
  const comment = (count: number) => block(4, Buffer.concat([le32(0), le32(count)]))
  const most = 2 ** 24 - 1
  return {
    'pictures of 16 MB': {
      bytes: flacWith(flac, times(7, block(6, Buffer.alloc(most)))),
      says: /has 100,663,290 bytes of tags and cover pictures/,
    },
    'two hundred covers': {
      bytes: flacWith(flac, times(200, block(6, Buffer.alloc(32)))),
      says: /has 101 streams/,
    },
    'four billion tags': {
      bytes: flacWith(flac, comment(0xffffffff)),
      says: /has 4,294,967,295 tags/,
    },
    'five million places to seek to': {
      bytes: flacWith(flac, times(5, block(3, Buffer.alloc(most)))),
      says: /has 4,660,335 pieces of picture and sound in its index/,
    },
    'eleven thousand chapters': {
      bytes: flacWith(
        flac,
        times(110, block(5, Buffer.concat([Buffer.alloc(395), Buffer.from([100])]))),
      ),
      says: /has 10,100 chapters/,
    },
    'a million blocks': {
      bytes: flacWith(flac, times(1_000_001, block(1, Buffer.alloc(0)))),
      says: /has 1,000,001 parts in its header/,
    },
  }
}

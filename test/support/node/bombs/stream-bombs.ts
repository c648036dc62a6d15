const syncByte = 0x47

/** A packet of MPEG-TS that holds one section of a table. */
function section(pid: number, tableId: number, body: Buffer): Buffer {
  const length = body.length + 9
  const head = [tableId, 0xb0 | (length >> 8), length & 0xff, 0, 1, 0xc1, 0, 0]
  const packet = Buffer.alloc(188, 0xff)
  packet.set([syncByte, 0x40 | (pid >> 8), pid & 0xff, 0x10, 0, ...head, ...body, 0, 0, 0, 0])
  return packet
}

const pair = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff]

/** Ten programs of thirty streams each. */
function tsOfManyStreams(): Buffer {
  const programs = Array.from({ length: 10 }, (_, i) => i + 1)
  const maps = programs.flatMap((program) => [...pair(program), ...pair(0xe000 | (program + 32))])
  const streamsOf = (program: number): number[] =>
    Array.from({ length: 30 }, (_, i) => [2, ...pair(0xe000 | (program * 100 + i)), 0xf0, 0]).flat()
  const described = programs.map((program) =>
    section(program + 32, 2, Buffer.from([0xe1, 0, 0xf0, 0, ...streamsOf(program)])),
  )
  const empty = Buffer.alloc(188, 0xff)
  empty.set([syncByte, 0x1f, 0xff, 0x10])
  return Buffer.concat([section(0, 0, Buffer.from(maps)), ...described, empty])
}

/** An FLV whose metadata is this value. */
function flvDescribedBy(value: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from([2, ...pair(10)]), Buffer.from('onMetaData'), value])
  const tag = Buffer.alloc(11)
  tag[0] = 18
  tag.writeUIntBE(body.length, 1, 3)
  return Buffer.concat([Buffer.from('FLV\x01\x05\0\0\0\t\0\0\0\0', 'latin1'), tag, body])
}

function longList(kind: number, claimed: number): Buffer {
  const head = Buffer.alloc(5)
  head[0] = kind
  head.writeUInt32BE(claimed, 1)
  return head
}

/** A program stream with private streams of every number. */
function mpgOfManyStreams(): Buffer {
  const pack = Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xf8])
  const packets = Array.from({ length: 200 }, (_, number) =>
    Buffer.from([0, 0, 1, 0xbd, ...pair(8), 0x80, 0, 0, number, 0, 0, 0, 0]),
  )
  return Buffer.concat([pack, ...packets])
}

function page(flags: number, packets: readonly Buffer[]): Buffer {
  const lengths = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head[26] = lengths.length
  return Buffer.concat([head, Buffer.from(lengths), ...packets])
}

function oggOfManyTags(): Buffer {
  const tags = Buffer.concat([
    Buffer.from('\x81theora\0\0\0\0', 'latin1'),
    Buffer.from([0x40, 0x0d, 3, 0]),
  ])
  return Buffer.concat([
    page(2, [Buffer.from('\x80theora\x03\x02\x01', 'latin1')]),
    page(0, [tags]),
  ])
}

/** Small files that claim a lot: each with the text that the refusal must contain. */
export function streamBombs(): Record<string, { bytes: Buffer; says: RegExp }> {
  const name = Buffer.from([0, 1, 0x61, 5])
  const names = Buffer.concat([Buffer.from([3]), ...Array.from({ length: 200_000 }, () => name)])
  return {
    'three hundred streams of MPEG-TS': { bytes: tsOfManyStreams(), says: /101 streams/ },
    'endless metadata of FLV': { bytes: flvDescribedBy(names), says: /10,001 tags/ },
    'an index of a billion in FLV': {
      bytes: flvDescribedBy(longList(10, 1_000_000_000)),
      says: /1,000,000,000 pieces of picture and sound in its index/,
    },
    'two hundred streams of MPG': { bytes: mpgOfManyStreams(), says: /101 streams/ },
    'two hundred thousand tags of OGV': { bytes: oggOfManyTags(), says: /200,000 tags/ },
  }
}

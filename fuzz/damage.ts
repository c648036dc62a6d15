import type { Random } from './random.ts'

/** How a file is damaged; the result may be longer or shorter. */
type Damage = (bytes: Buffer, random: Random) => Buffer

/** Names of the parts that contain lengths, counts, times and positions: boxes, chunks, elements, markers. */
const names: readonly [string | Buffer, ...(string | Buffer)[]] = [
  ...(
    'moov mvhd trak tkhd mdhd mdia elst edts stsd stts ctts stsc stsz stco co64 stss' as const
  ).split(' '),
  ...'moof traf tfhd tfdt trun trex sidx avc1 avcC esds hdlr meta ilst mdat ftyp'.split(' '),
  ...'RIFF LIST hdrl avih strl strh strf movi idx1 00dc 01wb indx fmt data'.split(' '),
  ...['IHDR', 'IDAT', 'PLTE', 'GIF8', 'JFIF', 'VP8 ', 'VP8L', 'VP8X'],
  ...['pitm', 'iloc', 'iinf', 'infe', 'iprp', 'ispe', 'pixi', 'av1C', 'ipma'],
  ...[
    'ID3',
    'APIC',
    'TIT2',
    'Xing',
    'fLaC',
    'bext',
    'fact',
    'OggS',
    'vorbis',
    'OpusHead',
    'OpusTags',
  ],
  // WebM: segment, cluster, tracks, entry, timecode, duration, block, group, cues, size of the picture, codec's own.
  ...'18538067 1f43b675 1654ae6b ae e7 4489 a3 a0 a1 1c53bb6b b0 ba 63a2 9b 2ad7b1 d7'
    .split(' ')
    .map((hex) => Buffer.from(hex, 'hex')),
  // JPEG: size, scan, tables; GIF: picture, control.
  ...'ffc0 ffda ffc4 ffdb 2c00 21f9'.split(' ').map((hex) => Buffer.from(hex, 'hex')),
] as unknown as [string]

const values = [
  0, 1, 2, 7, 8, 0xff, 0x7fff, 0xffff, 0x10000, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff,
] as const

function valueFrom(random: Random): number {
  return random.chance(0.7) ? random.pick(values) : random.below(2 ** 32)
}

function write(bytes: Buffer, at: number, random: Random): void {
  const length = random.pick([1, 2, 4, 4, 4, 8] as const)
  if (at < 0 || at + length > bytes.length) return
  const value = valueFrom(random)
  if (length === 8) {
    bytes.writeUInt32BE(random.chance(0.8) ? 0 : valueFrom(random), at)
    bytes.writeUInt32BE(value, at + 4)
  } else if (random.chance(0.3)) bytes.writeUIntLE(value % 2 ** (8 * length), at, length)
  else bytes.writeUIntBE(value % 2 ** (8 * length), at, length)
}

/** A random position at which the name occurs. */
function placeOf(bytes: Buffer, name: string | Buffer, random: Random): number {
  const first = bytes.indexOf(name, random.below(bytes.length))
  return first >= 0 ? first : bytes.indexOf(name)
}

const damages: readonly [Damage, ...Damage[]] = [
  function field(bytes, random) {
    const changed = Buffer.from(bytes)
    const at = placeOf(changed, random.pick(names), random)
    // The length is before the name, and the content after it.
    if (at >= 0) write(changed, at - 4 + random.below(60), random)
    return changed
  },
  function bits(bytes, random) {
    const changed = Buffer.from(bytes)
    const count = 1 + random.below(40)
    for (let i = 0; i < count; i++) {
      const at = random.below(changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
    }
    return changed
  },
  function head(bytes, random) {
    const changed = Buffer.from(bytes)
    write(changed, random.below(Math.min(changed.length, 1_000)), random)
    return changed
  },
  function cutOff(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length))
  },
  function cutOut(bytes, random) {
    const from = random.below(bytes.length)
    const to = Math.min(bytes.length, from + 1 + random.below(2_000))
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  function twice(bytes, random) {
    const from = random.below(bytes.length)
    const piece = bytes.subarray(from, from + 1 + random.below(2_000))
    const count = random.pick([1, 2, 50] as const)
    const copies = Array.from({ length: count }, () => piece)
    return Buffer.concat([bytes.subarray(0, from), ...copies, bytes.subarray(from)])
  },
  function emptied(bytes, random) {
    const changed = Buffer.from(bytes)
    const from = random.below(changed.length)
    const to = Math.min(changed.length, from + 1 + random.below(500))
    changed.fill(random.pick([0, 0xff] as const), from, to)
    return changed
  },
]

/** Applies one fault or several; most of them where they have an effect. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  const count = random.pick([1, 1, 2, 3, 5, 10] as const)
  let changed = bytes
  for (let i = 0; i < count && changed.length > 0; i++) {
    const damage = random.chance(0.6) ? damages[0] : random.pick(damages)
    changed = damage(changed, random)
  }
  return changed
}

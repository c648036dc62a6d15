import { box, boxAt, boxInParts, fullBox, uint32, uint64 } from './boxes.ts'
import { decodeTimes, type DecodeTimes } from './decode-times.ts'
import type { Samples } from './film.ts'

type Movie = {
  /** The `moov` of a file with one track, whose picture is described as that of this film. */
  readonly model: Buffer
  /** How its packets are coded; replaces the description of the model. */
  readonly description: Buffer
  /** Ticks in a second. */
  readonly timescale: number
  readonly samples: Samples
  /** When the last picture ends, in ticks. */
  readonly endTick: number
  /** The sizes of the files that hold the packets, which follow the head one after the other. */
  readonly fileBytes: readonly number[]
}

/**
 * The beginning of an MP4 file whose media data are other files, put after it unchanged: packets of many files become one film,
 * in any order, without being written again. Comes in parts.
 */
export function filmHead(film: Movie): Buffer[] {
  const type = box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1'))
  const places = Buffer.alloc(film.samples.sizes.length * 8)
  const movie = movieOf(film, places)
  // The size of the head does not depend on the positions in it, and they are counted from its end.
  const bytes = movie.reduce((sum, { length }) => sum + length, type.length + mediaHeadBytes)
  writeChunkOffsets(places, film, bytes)
  const mediaBytes = film.fileBytes.reduce((sum, size) => sum + size, 0)
  const media = Buffer.concat([uint32(1), Buffer.from('mdat'), uint64(mediaBytes + mediaHeadBytes)])
  return [type, ...movie, media]
}

const mediaHeadBytes = 16

function movieOf(film: Movie, places: Buffer): Buffer[] {
  const { timescale, endTick } = film
  const matrix = Buffer.alloc(36)
  matrix.writeUInt32BE(0x10000, 0)
  matrix.writeUInt32BE(0x10000, 16)
  matrix.writeUInt32BE(0x40000000, 32)
  const movie = fullBox(
    'mvhd',
    1,
    0,
    ...[uint64(0), uint64(0), uint32(timescale), uint64(endTick)],
    // rate, volume, reserved, matrix, pre_defined, next_track_ID
    ...[uint32(0x10000, 0x1000000, 0, 0), matrix, Buffer.alloc(24), uint32(2)],
  )
  return boxInParts('moov', movie, trackOf(film, places))
}

function trackOf(film: Movie, places: Buffer): Buffer[] {
  const { model, endTick, samples } = film
  const decoded = decodeTimes(samples.shown, endTick)
  const shownFrom = -(decoded.at[0] ?? 0)
  const look = part(model, 'tkhd').subarray(-lookBytes)
  const head = [uint64(0), uint64(0), uint32(1, 0), uint64(endTick)]
  const edit = [uint32(1), uint64(endTick), uint64(shownFrom), uint32(0x10000)]
  return boxInParts(
    'trak',
    fullBox('tkhd', 1, 3, ...head, look),
    box('edts', fullBox('elst', 1, 0, ...edit)),
    mediaOf(film, decoded, places),
  )
}

/** The fields of a track header after its times: layer, volume, matrix and size. */
const lookBytes = 60

function mediaOf(film: Movie, decoded: DecodeTimes, places: Buffer): Buffer[] {
  const { model, timescale, endTick } = film
  const length = endTick - (decoded.at[0] ?? 0)
  const times = [uint64(0), uint64(0), uint32(timescale), uint64(length)]
  return boxInParts(
    'mdia',
    fullBox('mdhd', 1, 0, ...times, uint32(0x55c40000)),
    box('hdlr', part(model, 'mdia', 'hdlr')),
    boxInParts(
      'minf',
      box('vmhd', part(model, 'mdia', 'minf', 'vmhd')),
      box('dinf', part(model, 'mdia', 'minf', 'dinf')),
      boxInParts('stbl', box('stsd', film.description), ...tablesOf(film, decoded, places)),
    ),
  )
}

function part(model: Buffer, ...path: readonly string[]): Buffer {
  const found = boxAt(model, 'trak', ...path)
  if (!found) throw new Error(`The model of a film has no ${path.join('/')}`)
  return found
}

/** stts (decoding times), ctts (composition offsets), stss (sync samples), stsc, stsz and co64: ISO 14496-12, 8.6 and 8.7. */
function tablesOf({ samples }: Movie, decoded: DecodeTimes, places: Buffer): Buffer[] {
  const { sizes, shown, keys } = samples
  const count = sizes.length
  const { at, lastStep } = decoded
  const stepOf = (i: number): number => (i + 1 < count ? (at[i + 1] ?? 0) - (at[i] ?? 0) : lastStep)
  const compositionOffsetOf = (i: number): number => (shown[i] ?? 0) - (at[i] ?? 0)
  const isReordered = shown.some((time, i) => time > (at[i] ?? 0))
  return [
    ...table('stts', ...runLengths(count, stepOf)),
    ...(isReordered ? table('ctts', ...runLengths(count, compositionOffsetOf)) : []),
    ...table('stss', ...syncSamples(keys)),
    ...table('stsc', uint32(1), uint32(1, 1, 1)),
    ...table('stsz', uint32(0, count), bigEndian(sizes)),
    ...table('co64', uint32(count), places),
  ]
}

/** A table of a track, behind the version and the flags of its box. */
function table(type: string, head: Buffer, entries: Buffer): Buffer[] {
  return boxInParts(type, uint32(0), head, entries)
}

/** Fills co64: chunk offsets count from the beginning of the file. */
function writeChunkOffsets(places: Buffer, { samples, fileBytes }: Movie, headBytes: number): void {
  const { positions, files } = samples
  const starts = fileBytes.map((_, i) =>
    fileBytes.slice(0, i).reduce((sum, size) => sum + size, headBytes),
  )
  for (let i = 0; i < positions.length; i++) {
    const place = (positions[i] ?? 0) + (starts[files[i] ?? 0] ?? 0)
    // In two halves, because a `bigint` for each of a million packets would produce garbage.
    places.writeUInt32BE(Math.floor(place / 2 ** 32), i * 8)
    places.writeUInt32BE(place % 2 ** 32, i * 8 + 4)
  }
}

function syncSamples(keys: Uint8Array): [head: Buffer, entries: Buffer] {
  const entries = Buffer.alloc(keys.reduce((sum, key) => sum + key, 0) * 4)
  let count = 0
  keys.forEach((key, i) => {
    if (key === 1) entries.writeUInt32BE(i + 1, count++ * 4)
  })
  return [uint32(count), entries]
}

/** Runs of equal values: how many there are, and the value. */
function runLengths(
  count: number,
  valueOf: (i: number) => number,
): [head: Buffer, entries: Buffer] {
  const endsRun = (i: number): boolean => i + 1 === count || valueOf(i + 1) !== valueOf(i)
  let runs = 0
  for (let i = 0; i < count; i++) if (endsRun(i)) runs += 1
  const entries = Buffer.alloc(runs * 8)
  let [at, length] = [0, 0]
  for (let i = 0; i < count; i++) {
    length += 1
    if (!endsRun(i)) continue
    entries.writeUInt32BE(length, at)
    entries.writeUInt32BE(valueOf(i), at + 4)
    at += 8
    length = 0
  }
  return [uint32(runs), entries]
}

function bigEndian(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i] ?? 0, i * 4)
  return bytes
}

import { box, boxAt, fullBox, uint32, uint64 } from './boxes.ts'
import { decodeTimes, type DecodeTimes } from './decode-times.ts'
import type { Samples } from './film.ts'

export type Film = {
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
 * The beginning of an MP4 file whose media data are other files as they are, put after it: packets of many files become
 * one film, in any order, without being written once more.
 */
export function headOf(film: Film): Buffer {
  const type = box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1'))
  const movie = movieOf(film)
  // The size of the head does not depend on the positions in it, and they are counted from its end.
  const bytes = type.length + movie.length + mediaHeadBytes
  writePlaces(part(movie.subarray(boxHeadBytes), 'mdia', 'minf', 'stbl', 'co64'), film, bytes)
  const mediaBytes = film.fileBytes.reduce((sum, size) => sum + size, 0)
  const media = Buffer.concat([uint32(1), Buffer.from('mdat'), uint64(mediaBytes + mediaHeadBytes)])
  return Buffer.concat([type, movie, media])
}

const boxHeadBytes = 8
const mediaHeadBytes = 16

function movieOf(film: Film): Buffer {
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
    // Rate, volume, what is reserved, matrix, what players once wrote here, and the next track.
    ...[uint32(0x10000, 0x1000000, 0, 0), matrix, Buffer.alloc(24), uint32(2)],
  )
  return box('moov', movie, trackOf(film))
}

function trackOf(film: Film): Buffer {
  const { model, endTick, samples } = film
  const decoded = decodeTimes(samples.shown, endTick)
  const shownFrom = -(decoded.at[0] ?? 0)
  const look = part(model, 'tkhd').subarray(-lookBytes)
  const head = [uint64(0), uint64(0), uint32(1, 0), uint64(endTick)]
  const edit = [uint32(1), uint64(endTick), uint64(shownFrom), uint32(0x10000)]
  return box(
    'trak',
    fullBox('tkhd', 1, 3, ...head, look),
    box('edts', fullBox('elst', 1, 0, ...edit)),
    mediaOf(film, decoded),
  )
}

/** Everything of a track header after its times: layer, volume, matrix and size. */
const lookBytes = 60

function mediaOf(film: Film, decoded: DecodeTimes): Buffer {
  const { model, timescale, endTick } = film
  const length = endTick - (decoded.at[0] ?? 0)
  const times = [uint64(0), uint64(0), uint32(timescale), uint64(length)]
  return box(
    'mdia',
    fullBox('mdhd', 1, 0, ...times, uint32(0x55c40000)),
    box('hdlr', part(model, 'mdia', 'hdlr')),
    box(
      'minf',
      box('vmhd', part(model, 'mdia', 'minf', 'vmhd')),
      box('dinf', part(model, 'mdia', 'minf', 'dinf')),
      box('stbl', box('stsd', film.description), ...tablesOf(film, decoded)),
    ),
  )
}

function part(model: Buffer, ...path: readonly string[]): Buffer {
  const found = boxAt(model, 'trak', ...path)
  if (!found) throw new Error(`The model of a film has no ${path.join('/')}`)
  return found
}

function tablesOf({ samples }: Film, decoded: DecodeTimes): Buffer[] {
  const { sizes, shown, keys } = samples
  const count = sizes.length
  const { at, lastStep } = decoded
  const steps = at.map((time, i) => (i + 1 < count ? (at[i + 1] ?? 0) - time : lastStep))
  const offsets = at.map((time, i) => (shown[i] ?? 0) - time)
  const keyNumbers = Uint32Array.from(keys.keys())
    .filter((i) => keys[i] === 1)
    .map((i) => i + 1)
  return [
    runLengths('stts', steps),
    ...(offsets.some((offset) => offset > 0) ? [runLengths('ctts', offsets)] : []),
    fullBox('stss', 0, 0, uint32(keyNumbers.length), bigEndian(keyNumbers)),
    fullBox('stsc', 0, 0, uint32(1, 1, 1, 1)),
    fullBox('stsz', 0, 0, uint32(0, count), bigEndian(sizes)),
    fullBox('co64', 0, 0, uint32(count), Buffer.alloc(count * 8)),
  ]
}

/** Version, flags and the number of its entries come before the entries of a table. */
const tableHeadBytes = 8

/** Fills the table of positions, which count from the beginning of the head. */
function writePlaces(table: Buffer, { samples, fileBytes }: Film, headBytes: number): void {
  const { positions, files } = samples
  const starts = fileBytes.map((_, i) =>
    fileBytes.slice(0, i).reduce((sum, size) => sum + size, headBytes),
  )
  for (let i = 0; i < positions.length; i++) {
    const place = (positions[i] ?? 0) + (starts[files[i] ?? 0] ?? 0)
    table.writeBigUInt64BE(BigInt(place), tableHeadBytes + i * 8)
  }
}

function runLengths(type: string, values: Float64Array): Buffer {
  const runs: number[] = []
  let length = 0
  values.forEach((value, i) => {
    length += 1
    if (values[i + 1] === value) return
    runs.push(length, value)
    length = 0
  })
  return fullBox(type, 0, 0, uint32(runs.length / 2), bigEndian(runs))
}

function bigEndian(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i] ?? 0, i * 4)
  return bytes
}

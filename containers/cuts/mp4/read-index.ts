import { open, type FileHandle } from 'node:fs/promises'
import { boxAt, boxesIn, readBody, timescaleOf, topBoxes } from './boxes.ts'

/** The index of one track of an MP4, in decoding order. Clauses here are those of ISO/IEC 14496-12. */
export type TrackIndex = {
  /** Seconds from the start of the file, by stts and ctts. */
  readonly at: Float64Array
  /** By stts. */
  readonly lengths: Float64Array
  /** By stsz. */
  readonly sizes: Float64Array
  /** Where each packet lies in the file, by stsc and stco or co64. */
  readonly positions: Float64Array
  /** 1 if a decoder can begin with the packet, by stss. */
  readonly keys: Uint8Array
  /** 1 if an edit list (elst) hides the picture: it is decoded, but not shown. Not known for sounds. */
  readonly hidden: Uint8Array
  /** How its packets are coded: the content of its `stsd`. */
  readonly description: Buffer
  /** How players turn and place its pictures: the matrices of mvhd and of tkhd. */
  readonly matrix: Buffer
  /** When the file begins, in the times that it stores. */
  readonly beginSeconds: number
}

const mostIndexBytes = 64 * 1024 ** 2
const mostPackets = 2_000_000

/**
 * Reads the tables of all tracks of an MP4 without starting a program. Undefined if they are not plain: in fragments, with an
 * edit list of several parts, or with packets that have descriptions of their own.
 */
export async function readIndex(file: string): Promise<readonly TrackIndex[] | undefined> {
  await using handle = await open(file)
  try {
    const movie = await movieIn(handle)
    const header = movie && boxAt(movie, 'mvhd')
    if (!header || boxAt(movie, 'mvex')) return undefined
    const ticksPerSecond = timescaleOf(header)
    const tracks = boxesIn(movie).filter(({ type }) => type === 'trak')
    const ofFilm = header.subarray(header[0] === 1 ? 48 : 36).subarray(0, matrixBytes)
    const read = tracks.map(({ body }) => {
      const track = readTrack(body, ticksPerSecond)
      return track && { ...track, matrix: Buffer.concat([ofFilm, matrixIn(body)]) }
    })
    const { size } = await handle.stat()
    const known = read.flatMap((one) => (one && liesWithin(one, size) ? one : []))
    return known.length === read.length ? fromTheStart(known) : undefined
  } catch (error) {
    // A table that is shorter than it says.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether all packets lie within the file; if it is cut off, a program reads what is left. */
function liesWithin({ positions, sizes }: Shifted, bytes: number): boolean {
  return positions.every((position, i) => position + (sizes[i] ?? 0) <= bytes)
}

/** The content of the `moov` of a file. */
export async function movieIn(handle: FileHandle): Promise<Buffer | undefined> {
  for await (const box of topBoxes(handle)) {
    if (box.type === 'moov') return box.bytes > mostIndexBytes ? undefined : readBody(handle, box)
  }
  return undefined
}

type Track = Omit<TrackIndex, 'beginSeconds' | 'matrix'> & { readonly startsAt: number }
type Shifted = Track & Pick<TrackIndex, 'matrix'>

const matrixBytes = 36

/** 8.3.2.2 */
function matrixIn(track: Buffer): Buffer {
  const header = boxAt(track, 'tkhd') ?? Buffer.alloc(0)
  return header.subarray(header[0] === 1 ? 52 : 40).subarray(0, matrixBytes)
}

/** All times of a file count from where its first track begins. */
function fromTheStart(tracks: readonly Shifted[]): TrackIndex[] {
  const start = Math.min(...tracks.map(({ startsAt }) => startsAt))
  return tracks.map((track) => ({
    ...track,
    at: track.at.map((seconds) => seconds - start),
    beginSeconds: start,
  }))
}

function readTrack(track: Buffer, movieTicks: number): Track | undefined {
  const header = boxAt(track, 'mdia', 'mdhd')
  const tables = boxAt(track, 'mdia', 'minf', 'stbl')
  if (!header || !tables) return undefined
  const ticks = timescaleOf(header)
  const of = (name: string): Buffer | undefined => boxAt(tables, name)
  const [sizes, chunks, deltas] = [sizesIn(of('stsz')), chunksIn(of), runsIn(of('stts'))]
  const edit = editIn(boxAt(track, 'edts', 'elst'))
  const description = of('stsd')
  const isPlain = description?.readUInt32BE(4) === 1 && ticks > 0 && movieTicks > 0
  if (!isPlain || !sizes || !chunks || !deltas || !edit) return undefined
  const count = sizes.length
  const lengths = unrolled(deltas, count)
  const ctts = of('ctts')
  const offsets = ctts ? unrolled(runsIn(ctts) ?? [], count) : new Float64Array(count)
  const positions = positionsOf(sizes, chunks)
  if (!lengths || !offsets || !positions) return undefined
  const empty = edit.emptyTicks / movieTicks
  const { shown, isCut } = shownAt(lengths, offsets, {
    from: edit.mediaTicks,
    length: (edit.lengthTicks / movieTicks) * ticks,
  })
  if (isCut) return undefined
  // The decoder of a sound leaves out the samples before its start within a packet.
  const isSound = boxAt(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === 'soun'
  const hidden = Uint8Array.from(shown, (tick) => (tick < 0 && !isSound ? 1 : 0))
  const first = shown.reduce((least, tick) => (tick >= 0 && tick < least ? tick : least), Infinity)
  // Demuxers move an edit that begins between two pictures.
  if (!isSound && edit.mediaTicks > 0 && first !== 0) return undefined
  return {
    at: shown.map((tick) => tick / ticks + empty),
    lengths: lengths.map((length) => length / ticks),
    ...{ sizes, positions, hidden, keys: keysIn(of('stss'), count), description },
    startsAt: count === 0 ? Infinity : (isSound ? 0 : first / ticks) + empty,
  }
}

/** When each packet is shown (8.6.1), in ticks from the start of the edit, and whether the edit ends before the last one. */
function shownAt(
  lengths: Float64Array,
  offsets: Float64Array,
  edit: { readonly from: number; readonly length: number },
) {
  let [decoded, isCut] = [0, false]
  const shown = Float64Array.from(lengths, (length, i) => {
    const tick = decoded + (offsets[i] ?? 0) - edit.from
    decoded += length
    if (edit.length > 0 && tick + length > edit.length + length * mostCut) isCut = true
    return tick
  })
  return { shown, isCut }
}

/** Edits are measured in coarser ticks than packets, and a sound may end within its last packet. */
const mostCut = 0.999

/** 8.6.6.2 */
type Edit = {
  /** segment_duration of an entry whose media_time is -1: nothing is shown for that time. */
  readonly emptyTicks: number
  /** media_time */
  readonly mediaTicks: number
  /** segment_duration; 0 if the whole track is shown. */
  readonly lengthTicks: number
}

/** An edit list (elst) that leaves out the beginning, or lets the track begin later; undefined for any other. */
function editIn(list: Buffer | undefined): Edit | undefined {
  if (!list) return { emptyTicks: 0, mediaTicks: 0, lengthTicks: 0 }
  const [isLong, count] = [list[0] === 1, list.readUInt32BE(4)]
  if (count > 2) return undefined
  const edits = Array.from({ length: count }, (_, i) => {
    const at = 8 + i * (isLong ? 20 : 12)
    const length = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at)
    const media = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4)
    return { length, media, rate: list.readUInt32BE(at + (isLong ? 16 : 8)) }
  })
  const shown = edits.at(-1)
  const before = edits.length === 2 ? edits[0] : undefined
  const isPlain = shown && shown.media >= 0 && shown.rate === 0x10000
  if (!isPlain || (before && before.media !== -1)) return undefined
  return { emptyTicks: before?.length ?? 0, mediaTicks: shown.media, lengthTicks: shown.length }
}

/** stsz, 8.7.3.2: sample_size for all, or 0 and an entry for each. */
function sizesIn(table: Buffer | undefined): Float64Array | undefined {
  if (!table) return undefined
  const [all, count] = [table.readUInt32BE(4), table.readUInt32BE(8)]
  if (count > mostPackets) return undefined
  const sizes = new Float64Array(count)
  for (let i = 0; i < count; i++) sizes[i] = all > 0 ? all : table.readUInt32BE(12 + i * 4)
  return sizes
}

/** chunk_offset of stco or co64 (8.7.5.2); rows of stsc (8.7.4.2): first_chunk, samples_per_chunk, sample_description_index. */
type Chunks = { readonly offsets: Float64Array; readonly runs: readonly (readonly number[])[] }

function chunksIn(of: (name: string) => Buffer | undefined): Chunks | undefined {
  const [short, long, runs] = [of('stco'), of('co64'), of('stsc')]
  const table = short ?? long
  if (!table || !runs) return undefined
  const count = Math.min(table.readUInt32BE(4), (table.length - 8) / (short ? 4 : 8))
  const offsets = Float64Array.from({ length: count }, (_, i) =>
    short ? table.readUInt32BE(8 + i * 4) : Number(table.readBigUInt64BE(8 + i * 8)),
  )
  const rows = Array.from({ length: runs.readUInt32BE(4) }, (_, i) =>
    [0, 1, 2].map((place) => runs.readUInt32BE(8 + i * 12 + place * 4)),
  )
  return { offsets, runs: rows }
}

/** The packets of a chunk lie one after the other. */
function positionsOf(sizes: Float64Array, { offsets, runs }: Chunks): Float64Array | undefined {
  const positions = new Float64Array(sizes.length)
  let [packet, run] = [0, 0]
  for (let chunk = 0; chunk < offsets.length; chunk++) {
    while ((runs[run + 1]?.[0] ?? Infinity) <= chunk + 1) run += 1
    let position = offsets[chunk] ?? 0
    for (let i = runs[run]?.[1] ?? 0; i > 0 && packet < sizes.length; i--) {
      positions[packet] = position
      position += sizes[packet] ?? 0
      packet += 1
    }
  }
  return packet === sizes.length ? positions : undefined
}

/** A row of stts or ctts: sample_count, and sample_delta or sample_offset. */
type RunLength = readonly [count: number, value: number]

/** Some writers store offsets with a sign, although only version 1 of ctts has one (8.6.1.3.2). */
function runsIn(table: Buffer | undefined): RunLength[] | undefined {
  if (!table) return undefined
  return Array.from({ length: table.readUInt32BE(4) }, (_, i) => [
    table.readUInt32BE(8 + i * 8),
    table.readInt32BE(12 + i * 8),
  ])
}

function unrolled(runs: readonly RunLength[], count: number): Float64Array | undefined {
  const values = new Float64Array(count)
  let next = 0
  for (const [times, value] of runs) {
    for (let i = 0; i < times && next < count; i++) values[next++] = value
  }
  return next === count ? values : undefined
}

/** stss, 8.6.2.2: sample_number counts from 1. Without the table, a decoder can begin with every packet. */
function keysIn(table: Buffer | undefined, count: number): Uint8Array {
  if (!table) return new Uint8Array(count).fill(1)
  const keys = new Uint8Array(count)
  for (let i = table.readUInt32BE(4) - 1; i >= 0; i--) {
    const place = table.readUInt32BE(8 + i * 4) - 1
    if (place < count) keys[place] = 1
  }
  return keys
}

import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { decoderRecordOf } from '../../cuts/mp4/describe-film.ts'
import { readIndex, type TrackIndex } from '../../cuts/mp4/read-index.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'
import { looksAsSource } from './check-pictures.ts'
import type { Looked } from './check-tables.ts'

/** An index may claim packets that do not fit into memory. */
const mostBytes = 1 << 25
/** Files count in ticks of different lengths. */
const mostRounded = 0.0015

/**
 * Whether a film has all the pictures of its only source, byte by byte, at the same times, described and turned alike. Then
 * decoding any of them would tell nothing.
 */
export async function hasPicturesOfSource(looked: Looked): Promise<boolean> {
  const { planned, film } = looked
  const { clips, removed, joints, timeline, context } = planned
  const isCut = removed.all.length + joints.length > 0 || film.plan.excerpt !== undefined
  const isAsIs = film.plan.video === 'copy' && !isCut && (timeline.speed ?? 1) === 1
  const [{ facts, video }] = clips
  const { path: name, demuxer } = storedStream(video).from
  const said = [facts, film.facts].map((one) => one.video)
  // Other containers have no index that tells where each packet lies.
  if (demuxer !== 'mov' || !isAsIs || !looksAsSource(looked) || !areSaidAlike(said)) return false
  const files = [film.name, name].map((one) => path.join(context.tools.folder, one))
  const [made, was] = await Promise.all(files.map(readIndex))
  const [own, source] = [made?.[film.facts.video.index], was?.[facts.video.index]]
  if (!own || !source || !areIndexedAlike(own, source)) return false
  const [ofFilm = '', ofSource = ''] = files
  await using one = await open(ofFilm)
  await using other = await open(ofSource)
  const pair = [new PacketPieces(one, own), new PacketPieces(other, source)] as const
  return await haveSameBytes(pair, own.sizes, context.tools.signal)
}

/** What files say of their pictures outside of what a decoder reads. */
const saidOf = [
  ...(['codec', 'pixelFormat', 'width', 'height', 'hasSquarePixels', 'isTurned'] as const),
  ...(['isFullRange', 'colorMatrix', 'isMatrixTagged', 'transfer'] as const),
  'dolbyVisionProfile' as const,
]

function areSaidAlike([one, other]: readonly VideoFacts[]): boolean {
  return saidOf.every((name) => one?.[name] === other?.[name])
}

function areIndexedAlike(own: TrackIndex, source: TrackIndex): boolean {
  const areAlike = (name: 'at' | 'sizes' | 'hidden' | 'keys', most: number): boolean => {
    const [made, was] = [own[name], source[name]]
    if (made.length !== was.length) return false
    return made.every((value, i) => Math.abs(value - (was[i] ?? Infinity)) <= most)
  }
  const records = [own, source].map(({ description }) => decoderRecordOf(description))
  return (
    (['sizes', 'hidden', 'keys'] as const).every((name) => areAlike(name, 0)) &&
    areAlike('at', mostRounded) &&
    own.sizes.every((size) => size <= mostBytes) &&
    own.matrix.equals(source.matrix) &&
    records[0] !== undefined &&
    records[1]?.equals(records[0]) === true
  )
}

/** How much is read at once. */
const atOnce = 1 << 20

async function haveSameBytes(
  [own, source]: readonly [PacketPieces, PacketPieces],
  sizes: Float64Array,
  signal: AbortSignal,
): Promise<boolean> {
  for (let first = 0; first < sizes.length;) {
    signal.throwIfAborted()
    const end = Math.min(own.endOfRead(first), source.endOfRead(first))
    await Promise.all([own.read(first, end), source.read(first, end)])
    for (; first < end; first++) {
      const bytes = own.packet(first)
      // A read that came back short proves nothing.
      if (bytes.length !== sizes[first] || !bytes.equals(source.packet(first))) return false
    }
  }
  return true
}

/** Reads packets that lie near each other together, into the same memory. */
class PacketPieces {
  readonly #handle: FileHandle
  readonly #index: TrackIndex
  #memory = Buffer.alloc(0)
  #begin = 0
  #end = 0

  constructor(handle: FileHandle, index: TrackIndex) {
    this.#handle = handle
    this.#index = index
  }

  #place(packet: number): { from: number; to: number } {
    const from = this.#index.positions[packet] ?? 0
    return { from, to: from + (this.#index.sizes[packet] ?? 0) }
  }

  /** Up to which packet one read goes that begins with this one. */
  endOfRead(first: number): number {
    const { from } = this.#place(first)
    let end = first + 1
    for (; end < this.#index.sizes.length; end++) {
      const next = this.#place(end)
      if (next.from < this.#place(end - 1).to || next.to - from > atOnce) break
    }
    return end
  }

  async read(first: number, end: number): Promise<void> {
    this.#begin = this.#place(first).from
    const length = this.#place(end - 1).to - this.#begin
    if (this.#memory.length < length)
      this.#memory = Buffer.allocUnsafeSlow(Math.max(length, atOnce))
    const { bytesRead } = await this.#handle.read(this.#memory, 0, length, this.#begin)
    this.#end = this.#begin + bytesRead
  }

  packet(place: number): Buffer {
    const { from, to } = this.#place(place)
    return this.#memory.subarray(from - this.#begin, Math.min(to, this.#end) - this.#begin)
  }
}

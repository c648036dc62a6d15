import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { beyondLimit, repeatsItself, sourceLimits } from './source-limits.ts'
import { ByteWindow } from './byte-window.ts'
import type { Claiming } from './claim-counts.ts'
import { MovTrack, type MovBox } from './mov-track.ts'

/** ffmpeg reads these boxes wherever they stand, so this code does too. */
const containers = new Set(
  'moov trak mdia minf stbl edts udta meta ilst mvex moof traf dinf tref wave sinf schi gmhd clip'.split(
    ' ',
  ),
)
/** Every child of these boxes is a tag, whatever its name. */
const tagHolders = new Set(['udta', 'ilst', 'keys'])
/** By far the largest boxes, and irrelevant here. */
const unread = new Set(['mdat', 'free', 'skip', 'wide'])
/** The container's own overhead. */
const spareBytes = 1024 ** 2
const deepest = 16
/** Compressed headers date from the nineties; a hundred of them fit into this. */
const mostInflatedBytes = 32 * 1024 ** 2

type MovWalk = Claiming & {
  readonly tracks: MovTrack[]
  readonly movie: { timescale: number }
  /** Ids of the tracks that hold chapters. */
  readonly chapterTracks: Set<number>
}

export async function countMovClaims(file: Claiming): Promise<void> {
  const { bytes, counts, signal } = file
  const movie = { timescale: 0 }
  const walk: MovWalk = { ...file, tracks: [], chapterTracks: new Set(), movie }
  await walkBoxes(walk, { type: '', from: 0, to: bytes.size }, 0)
  const { held } = counts
  let claimed = 0
  for (const track of walk.tracks) {
    const listed = await track.check(counts, movie.timescale)
    counts.add('indexedPackets', listed)
    if (walk.chapterTracks.has(track.id)) counts.add('chapters', listed)
    claimed += await track.bytesWithin(signal)
    if (claimed > held.sizeBytes * sourceLimits.repeatedBytes + spareBytes)
      throw repeatsItself(held)
  }
}

async function walkBoxes(walk: MovWalk, parent: MovBox, depth: number): Promise<void> {
  const { bytes, counts, signal } = walk
  for (let at = parent.from; at + 8 <= parent.to;) {
    signal.throwIfAborted()
    const box = readBox(bytes.atHand(at, 16) ?? (await bytes.at(at, 16)), at, parent.to)
    if (!box) return
    // A fragmented file has as many boxes as it has pieces, so the limit of pieces applies to those boxes.
    if (parent.type !== '' && parent.type !== 'moof' && parent.type !== 'traf') {
      counts.add('headerParts')
    }
    if (tagHolders.has(parent.type)) counts.add('tags')
    if (!unread.has(box.type)) await visit(walk, box, depth)
    at = box.to
  }
}

function readBox(head: Buffer, at: number, end: number): MovBox | undefined {
  if (head.length < 8) return undefined
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  if (short === 0) return { type, from: at + 8, to: end }
  const isLong = short === 1 && head.length >= 16
  const length = isLong ? Number(head.readBigUInt64BE(8)) : short
  const headBytes = isLong ? 16 : 8
  // The demuxer gives up here as well.
  if (length < headBytes) return undefined
  return { type, from: at + headBytes, to: Math.min(at + length, end) }
}

async function visit(walk: MovWalk, box: MovBox, depth: number): Promise<void> {
  const { counts, tracks, bytes } = walk
  if (box.type === 'trak') {
    counts.add('streams')
    tracks.push(new MovTrack(bytes))
  }
  if (containers.has(box.type)) {
    if (depth < deepest) await walkBoxes(walk, await bodyOf(walk, box), depth + 1)
    return
  }
  switch (box.type) {
    case 'trun':
      counts.add('indexedPackets', await countAt(bytes, box))
      return
    case 'covr':
      return countCovers(walk, box)
    case 'keys':
      return walkBoxes(walk, { ...box, from: box.from + 8 }, depth + 1)
    case 'chap':
      return addChapterTracks(walk, box)
    case 'mvhd':
      walk.movie.timescale = await timescaleOf(bytes, box)
      return
    case 'cmov':
      return walkCompressed(walk, box)
    default:
      await tracks.at(-1)?.take(box, counts)
  }
}

/** QuickTime's `meta` starts with its first box; in MP4 four bytes come before it. */
async function bodyOf({ bytes }: MovWalk, box: MovBox): Promise<MovBox> {
  if (box.type !== 'meta') return box
  const isBare = (await bytes.at(box.from + 4, 4)).toString('latin1') === 'hdlr'
  return isBare ? box : { ...box, from: box.from + 4 }
}

/** In most tables the count follows version and flags. */
async function countAt(bytes: ByteWindow, box: MovBox): Promise<number> {
  const head = await bytes.at(box.from, 8)
  return head.length < 8 ? 0 : head.readUInt32BE(4)
}

async function timescaleOf(bytes: ByteWindow, box: MovBox): Promise<number> {
  const head = await bytes.at(box.from, 24)
  return head.length < 24 ? 0 : head.readUInt32BE(head[0] === 1 ? 20 : 12)
}

/** ffmpeg makes a separate stream of each cover picture. */
async function countCovers({ bytes, counts, signal }: MovWalk, box: MovBox): Promise<void> {
  for (let at = box.from; at + 8 <= box.to;) {
    signal.throwIfAborted()
    const picture = readBox(await bytes.at(at, 16), at, box.to)
    if (!picture) return
    counts.add('streams')
    at = picture.to
  }
}

async function addChapterTracks(
  { bytes, chapterTracks, counts }: MovWalk,
  box: MovBox,
): Promise<void> {
  for (let at = box.from; at + 4 <= box.to; at += 4) {
    counts.add('headerParts')
    const id = await bytes.at(at, 4)
    if (id.length === 4) chapterTracks.add(id.readUInt32BE(0))
  }
}

/** The box holds `dcom`, which names the method, then `cmvd` with the unpacked length and the zlib data. */
async function walkCompressed(walk: MovWalk, box: MovBox): Promise<void> {
  const { counts, bytes } = walk
  const length = Math.min(box.to - box.from, mostInflatedBytes)
  const packed = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const piece = await bytes.at(box.from + at, Math.min(65_536, length - at))
    if (piece.length === 0) break
    piece.copy(packed, at)
    at += piece.length
  }
  const start = packed.indexOf('cmvd')
  if (start < 0) return
  const options = { maxOutputLength: mostInflatedBytes }
  const plain = await promisify(inflate)(packed.subarray(start + 8), options).catch(
    (error: unknown) => {
      if (error instanceof RangeError)
        throw beyondLimit(counts.held, 'bytes in its packed header', mostInflatedBytes)
      return undefined
    },
  )
  if (!plain) return
  const inside = { ...walk, bytes: ByteWindow.ofBytes(plain) }
  // No real file packs a packed header again, and each layer can be a thousand times as large as the one around it.
  if (plain.includes('cmov')) throw beyondLimit(counts.held, 'packed headers', 1, 2)
  await walkBoxes(inside, { type: '', from: 0, to: plain.length }, 1)
}

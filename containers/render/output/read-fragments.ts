import { open } from 'node:fs/promises'
import {
  boxAt,
  boxesIn,
  readBody,
  timescaleOf,
  topBoxes,
  type TopBox,
} from '../../cuts/mp4/boxes.ts'

/** A fragment of a film: its `moof` and the `mdat` behind it. */
export type Fragment = {
  readonly offset: number
  readonly bytes: number
  /** Bytes from its beginning to the end of its first sample. */
  readonly firstBytes: number
  readonly seconds: number
  /** Whether a decoder may begin with its first sample, and with no other. */
  readonly isEntry: boolean
}

export type FragmentedFile = {
  /** The boxes before the first fragment, which every segment needs. */
  readonly headBytes: number
  /** As RFC 6381 names it: `avc1.64001f`. */
  readonly codec: string
  /** The size of its pictures; zero for a sound. */
  readonly stored: { readonly width: number; readonly height: number }
  readonly fragments: readonly Fragment[]
}

/** Reads where the fragments of a file lie that this service has just written; it has one track. */
export async function readFragments(path: string): Promise<FragmentedFile> {
  await using file = await open(path)
  const { size } = await file.stat()
  const boxes: TopBox[] = []
  for await (const box of topBoxes(file)) boxes.push(box)
  const last = boxes.at(-1)
  const end = last ? last.offset + last.bytes : 0
  if (end > size || end + 8 <= size) throw new Error('A box is cut off')
  const movie = boxes.find(({ type }) => type === 'moov')
  const first = boxes.find(({ type }) => type === 'moof')
  if (!movie || !first) throw new Error(`${path} has no fragments`)
  const description = await bodyOf(file, movie)
  const timescale = trackTimescale(description)
  const fragments: Fragment[] = []
  for (const [i, box] of boxes.entries()) {
    const media = boxes[i + 1]
    if (box.type !== 'moof') continue
    if (media?.type !== 'mdat') throw new Error(`${path} has a fragment without its data`)
    const run = readRun(boxAt(await bodyOf(file, box), 'traf'), box.bytes)
    const { offset } = box
    const seconds = run.ticks / timescale
    fragments.push({ ...run, offset, bytes: box.bytes + media.bytes, seconds })
  }
  const { codec, stored } = entryOf(description)
  return { headBytes: first.offset, codec, stored, fragments }
}

async function bodyOf(...box: Parameters<typeof readBody>): Promise<Buffer> {
  const body = await readBody(...box)
  if (!body) throw new Error('A box is cut off')
  return body
}

function trackTimescale(movie: Buffer): number {
  const head = boxAt(movie, 'trak', 'mdia', 'mdhd')
  if (!head) throw new Error('A track without a time scale')
  return timescaleOf(head)
}

/** The flag of a sample that says it is not an entry. */
const nonSync = 0x10000

/** ISO 14496-12, 8.8.7 and 8.8.8: the samples of a fragment. */
function readRun(traf: Buffer | undefined, moofBytes: number) {
  const boxes = traf ? boxesIn(traf) : []
  const head = boxes.find(({ type }) => type === 'tfhd')?.body
  const run = boxes.filter(({ type }) => type === 'trun')
  const [only] = run
  if (!head || !only || run.length > 1) throw new Error('A fragment without its one run')
  const usual = defaultsOf(head)
  const { body } = only
  const flags = body.readUInt32BE(0) & 0xffffff
  const count = body.readUInt32BE(4)
  let at = 8
  const next = () => {
    at += 4
    return body.readUInt32BE(at - 4)
  }
  const dataOffset = flags & 1 ? next() : moofBytes + 8
  const firstFlags = flags & 4 ? next() : undefined
  let [ticks, firstBytes, entries] = [0, 0, 0]
  let isEntry = false
  for (let i = 0; i < count; i++) {
    ticks += flags & 0x100 ? next() : usual.ticks
    const bytes = flags & 0x200 ? next() : usual.bytes
    const own = flags & 0x400 ? next() : usual.flags
    if (flags & 0x800) next()
    const isSync = ((i === 0 ? (firstFlags ?? own) : own) & nonSync) === 0
    entries += isSync ? 1 : 0
    if (i === 0) [firstBytes, isEntry] = [dataOffset + bytes, isSync]
  }
  return { ticks, firstBytes, isEntry: isEntry && (entries === 1 || entries === count) }
}

/** The defaults of samples, which their run may override. */
function defaultsOf(head: Buffer) {
  const given = head.readUInt32BE(0) & 0xffffff
  // The track, its data offset and the description come before.
  let at = 8 + (given & 1 ? 8 : 0) + (given & 2 ? 4 : 0)
  const next = (flag: number) => {
    if (!(given & flag)) return 0
    at += 4
    return head.readUInt32BE(at - 4)
  }
  return { ticks: next(8), bytes: next(0x10), flags: next(0x20) }
}

/** The bytes of a picture's description before its boxes: its size and the name of the encoder. */
const pictureHeadBytes = 78

/** Where in the description the sides are. */
const sidesAt = { width: 24, height: 26 } as const

function entryOf(movie: Buffer): Pick<FragmentedFile, 'codec' | 'stored'> {
  const list = boxAt(movie, 'trak', 'mdia', 'minf', 'stbl', 'stsd')
  const [entry] = list ? boxesIn(list.subarray(8)) : []
  if (entry?.type === 'mp4a') return { codec: 'mp4a.40.2', stored: { width: 0, height: 0 } }
  const config = entry?.type === 'avc1' && boxAt(entry.body.subarray(pictureHeadBytes), 'avcC')
  if (!config) throw new Error('A track of a stream with another codec')
  const [width, height] = [sidesAt.width, sidesAt.height].map((at) => entry.body.readUInt16BE(at))
  return {
    codec: `avc1.${config.toString('hex', 1, 4)}`,
    stored: { width: width ?? 0, height: height ?? 0 },
  }
}

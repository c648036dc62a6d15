import type { ByteWindow } from './byte-window.ts'
import type { Claiming } from './claim-counts.ts'

type Tag = { readonly version: number; readonly from: number; readonly to: number }
type TagFrame = { readonly name: string; readonly flags: number; readonly from: number; to: number }
/** `aside` reads at other places while `bytes` goes forwards. */
type TagWalk = Claiming & { aside: ByteWindow }

const headBytes = 10
const footBytes = 10
const tagFlags = { extended: 0x40, foot: 0x10 } as const
const frameFlags = { saysUnpackedBytes: 1, packed: 8 } as const
/** ffmpeg gives up at larger frames. */
const mostFrameBytes = 2 ** 28
/** A chapter begins with its name and the four numbers of its times; frames of its own follow. */
const mostNameBytes = 1_024
const chapterBytes = 16
const partHeadBytes = 10

/**
 * Visits every frame of the ID3v2 tags that begin here, one tag behind the other, and tells where they end. ffmpeg reads
 * them in front of files of any format.
 */
export async function countId3Claims(file: Claiming, at = 0): Promise<number> {
  const { bytes, counts } = file
  const walk = { ...file, aside: bytes.beside() }
  for (;;) {
    const head = Buffer.from(await bytes.at(at, headBytes))
    if (!isTagHead(head)) return at
    const [version = 0, , flags = 0] = head.subarray(3)
    const length = syncSafe(head.readUInt32BE(6))
    counts.add('headerParts')
    counts.add('tagBytes', length)
    const [from, to] = [at + headBytes, at + headBytes + length]
    const extended = version > 2 && (flags & tagFlags.extended) !== 0
    const skipped = extended ? await extendedBytes(bytes, version, from) : 0
    if (version >= 2 && version <= 4) await countFrames(walk, { version, from: from + skipped, to })
    at = to + (version === 4 && (flags & tagFlags.foot) !== 0 ? footBytes : 0)
  }
}

function isTagHead(head: Buffer): boolean {
  const isNamed = head.length === headBytes && head.toString('latin1', 0, 3) === 'ID3'
  return isNamed && head[3] !== 0xff && head[4] !== 0xff && head.subarray(6).every((b) => b < 0x80)
}

/** Only seven bits of each byte count. */
function syncSafe(value: number): number {
  const byte = (shift: number): number => (value >>> shift) & 0x7f
  return (byte(24) << 21) | (byte(16) << 14) | (byte(8) << 7) | byte(0)
}

async function extendedBytes(bytes: ByteWindow, version: number, at: number): Promise<number> {
  const head = await bytes.at(at, 4)
  if (head.length < 4) return 0
  // Only version 4 counts the length itself.
  return syncSafe(head.readUInt32BE(0)) + (version === 4 ? 0 : 4)
}

async function countFrames(walk: TagWalk, tag: Tag): Promise<void> {
  const { bytes, signal } = walk
  const end = Math.min(tag.to, bytes.size)
  for (let at = tag.from; at < end;) {
    signal.throwIfAborted()
    const frame = await frameAt(walk, tag, at)
    if (!frame || frame.to > tag.to) return
    // A tag is filled up with zeros.
    if (frame.to > frame.from) await countFrame(walk, frame)
    at = frame.to
  }
}

async function frameAt(
  { bytes, aside }: TagWalk,
  { version, to }: Tag,
  at: number,
): Promise<TagFrame | undefined> {
  const wanted = version === 2 ? 6 : 10
  const head = bytes.atHand(at, wanted) ?? (await bytes.at(at, wanted))
  if (head.length < wanted) return undefined
  const from = at + wanted
  const name = head.toString('latin1', 0, version === 2 ? 3 : 4)
  if (version === 2) return { name, flags: 0, from, to: from + head.readUIntBE(3, 3) }
  const [said, flags] = [head.readUInt32BE(4), head.readUInt16BE(8)]
  const length = version === 3 ? said : await lengthMeant(aside, from, said, to)
  if (length === undefined || length > mostFrameBytes) return undefined
  return { name, flags, from, to: from + length }
}

/** Some programs write lengths of version 3 in version 4; like ffmpeg, this decides by the frame that follows. */
async function lengthMeant(
  bytes: ByteWindow,
  from: number,
  said: number,
  tagEnd: number,
): Promise<number | undefined> {
  const safe = syncSafe(said)
  if (said <= 0x7f || said >= tagEnd - from + headBytes) return safe
  if (await isFrameHead(bytes, from + safe)) return safe
  return (await isFrameHead(bytes, from + said)) ? said : undefined
}

async function isFrameHead(bytes: ByteWindow, at: number): Promise<boolean> {
  return /^([A-Z0-9]{4}|\0{4})$/.test((await bytes.at(at, 4)).toString('latin1'))
}

async function countFrame(walk: TagWalk, frame: TagFrame): Promise<void> {
  const { aside, counts } = walk
  const { name, flags, from, to } = frame
  const isPacked = (flags & frameFlags.packed) !== 0
  if (isPacked && (flags & frameFlags.saysUnpackedBytes) !== 0) {
    const said = await aside.at(from, 4)
    if (said.length === 4) counts.add('tagBytes', said.readUInt32BE(0))
  }
  if (name === 'APIC' || name === 'PIC') counts.add('streams')
  else counts.add('tags')
  if (name !== 'CHAP') return
  counts.add('chapters')
  const nameBytes = isPacked ? -1 : (await aside.at(from, mostNameBytes)).indexOf(0)
  // No program packs chapters or gives them so long a name, which would hide how many tags they have.
  if (nameBytes < 0) counts.add('tags', Math.ceil((to - from) / partHeadBytes))
  else await countParts(walk, { from: from + nameBytes + 1 + chapterBytes, to })
}

async function countParts(
  { aside, counts, signal }: TagWalk,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let at = from; at + partHeadBytes <= to;) {
    signal.throwIfAborted()
    const head = aside.atHand(at, partHeadBytes) ?? (await aside.at(at, partHeadBytes))
    if (head.length < partHeadBytes) return
    counts.add('tags')
    at += partHeadBytes + head.readUInt32BE(4)
  }
}

import type { ClaimCounts, Claiming } from './claim-counts.ts'

const ids = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  chapters: 0x1043a770,
  edition: 0x45b9,
  chapterAtom: 0xb6,
  tags: 0x1254c367,
  tag: 0x7373,
  simpleTag: 0x67c8,
  attachments: 0x1941a469,
  attachedFile: 0x61a7,
  cues: 0x1c53bb6b,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  ebml: 0x1a45dfa3,
} as const

/** Elements of the top level: any of them ends a cluster of unknown length. */
const topLevel = new Set<number>([
  ...[ids.segment, ids.cluster, ids.tracks, ids.chapters, ids.tags, ids.attachments, ids.cues],
  ...[ids.seekHead, ids.info, ids.ebml],
])
const holders = new Set<number>([
  ...[ids.segment, ids.tracks, ids.chapters, ids.edition, ids.chapterAtom],
  ...[ids.tags, ids.tag, ids.simpleTag, ids.attachments, ids.cues, ids.seekHead],
])
const deepest = 16

/** Skips clusters: their blocks are counted when they are read. */
export async function countWebmClaims(file: Claiming): Promise<void> {
  await walkElements(file, { from: 0, to: file.bytes.size }, 0)
}

async function walkElements(
  file: Claiming,
  { from, to }: { from: number; to: number },
  depth: number,
): Promise<void> {
  const { bytes, counts, signal } = file
  let isInCluster = false
  for (let at = from; at < to;) {
    signal.throwIfAborted()
    const element = readElement(bytes.atHand(at, 16) ?? (await bytes.at(at, 16)), at, to)
    if (!element) return
    const { id, isEndless } = element
    if (topLevel.has(id)) isInCluster = false
    if (!isInCluster) count(counts, id)
    const isHolder = holders.has(id) && depth < deepest
    if (isHolder && !isEndless) await walkElements(file, element, depth + 1)
    isInCluster ||= isEndless && id === ids.cluster
    // The next element after one of unknown length is its first child.
    at = isEndless ? element.from : element.to
  }
}

function count(counts: ClaimCounts, id: number): void {
  if (id !== ids.cluster) counts.add('headerParts')
  if (id === ids.trackEntry || id === ids.attachedFile) counts.add('streams')
  if (id === ids.chapterAtom) counts.add('chapters')
  if (id === ids.simpleTag) counts.add('tags')
}

function readElement(head: Buffer, at: number, end: number) {
  const idBytes = lengthOf(head[0])
  if (idBytes > 4 || head.length < idBytes + 1) return undefined
  const sizeBytes = lengthOf(head[idBytes])
  if (sizeBytes > 8 || head.length < idBytes + sizeBytes) return undefined
  const id = head.readUIntBE(0, idBytes)
  const size = sizeOf(head.subarray(idBytes, idBytes + sizeBytes))
  const from = at + idBytes + sizeBytes
  const isEndless = size === undefined
  return { id, from, to: isEndless ? end : Math.min(from + size, end), isEndless }
}

/** The leading zero bits of the first byte say how many bytes follow. */
function lengthOf(first: number | undefined): number {
  return first === undefined ? 9 : Math.clz32(first) - 23
}

/** Undefined if all bits are one, which means that the length is unknown. */
function sizeOf(bytes: Buffer): number | undefined {
  const mask = 2 ** (8 - bytes.length) - 1
  let size = (bytes[0] ?? 0) & mask
  let isUnknown = size === mask
  for (const byte of bytes.subarray(1)) {
    size = size * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return isUnknown ? undefined : size
}

import type { Claiming } from './claim-counts.ts'

type Chunk = { readonly type: string; readonly from: number; readonly to: number }

const indexEntryBytes = 16
/** Chunks that describe streams and list their packets. */
const indexes = new Set(['strh', 'idx1', 'indx'])
/** `00dc`, `01wb`: pictures and sounds outside of any list, because the length of their list was never filled in. */
const media = /^(\d\d..|ix..)$/

/**
 * Visits one chunk after the other and looks into every list except those of the media: ffmpeg does not trust the
 * lengths of lists either.
 */
export async function countAviClaims(file: Claiming): Promise<void> {
  const { bytes, counts, signal } = file
  let infoEnd = 0
  for (let at = 0; at + 8 <= bytes.size;) {
    signal.throwIfAborted()
    const head = bytes.atHand(at, 12) ?? (await bytes.at(at, 12))
    if (head.length < 8) return
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const list = type === 'LIST' || type === 'RIFF' ? head.toString('latin1', 8, 12) : undefined
    if (!media.test(type)) counts.add('headerParts')
    if (list === 'INFO') infoEnd = at + 8 + length
    else if (at < infoEnd) counts.add('tags')
    if (list !== undefined && list !== 'movi') at += 12
    else {
      const chunk = { type, from: at + 8, to: Math.min(at + 8 + length, bytes.size) }
      if (indexes.has(type)) await countChunk(file, chunk)
      // Chunks begin at even places.
      at += 8 + length + (length % 2)
    }
  }
}

async function countChunk(file: Claiming, chunk: Chunk): Promise<void> {
  const { bytes, counts } = file
  switch (chunk.type) {
    case 'strh':
      counts.add('streams')
      return
    case 'idx1':
      counts.add('indexedPackets', Math.floor((chunk.to - chunk.from) / indexEntryBytes))
      return
    case 'indx': {
      const head = Buffer.from(await bytes.at(chunk.from, 24))
      if (head.length === 24) await countIndex(file, chunk, head)
    }
  }
}

const headBytes = 24

/** An index of indexes points to parts of the file, each of which says how many packets it lists. */
async function countIndex(
  { bytes, counts, signal }: Claiming,
  { from, to }: Chunk,
  head: Buffer,
): Promise<void> {
  const claimed = head.readUInt32LE(4)
  const isOfIndexes = head[3] === 0
  if (!isOfIndexes) {
    counts.add('indexedPackets', claimed)
    return
  }
  const beside = bytes.beside()
  const entries = Math.min(claimed, Math.floor((to - from - headBytes) / indexEntryBytes))
  for (let i = 0; i < entries; i++) {
    signal.throwIfAborted()
    counts.add('indexes')
    const entry = await bytes.at(from + headBytes + i * indexEntryBytes, 8)
    if (entry.length < 8) return
    const index = await beside.at(Number(entry.readBigUInt64LE(0)), 16)
    // The same header again follows the name and length.
    if (index.length === 16) counts.add('indexedPackets', index.readUInt32LE(12))
  }
}

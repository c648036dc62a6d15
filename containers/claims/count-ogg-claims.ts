import type { ClaimCounts, Claiming } from './claim-counts.ts'

const headBytes = 27
const mostLacing = 255
/** The second packet of a stream begins so, before the name of the program that wrote it: Theora, Vorbis, Opus, FLAC. */
const tagHead = /^(?:\x81theora|\x03vorbis|OpusTags|[\x04\x84][^]{3})/
/** Room for that name, and for the number of tags behind it. */
const readBytes = 16_384

type OggStream = {
  packets: number
  /** The first bytes of its second packet, as far as they have been read. */
  tags: Buffer
}

/** Visits the head of every page. Each says how many packets it holds, and the second packet of a stream how many tags. */
export async function countOggClaims({ bytes, counts, signal }: Claiming): Promise<void> {
  const streams = new Map<number, OggStream>()
  const wanted = headBytes + mostLacing
  for (let at = 0; at + headBytes <= bytes.size;) {
    signal.throwIfAborted()
    const head = Buffer.from(bytes.atHand(at, wanted) ?? (await bytes.at(at, wanted)))
    const next = head.indexOf('OggS', 0, 'latin1')
    if (next !== 0 || head.length < headBytes) {
      at += next > 0 ? next : Math.max(1, head.length - 3)
      continue
    }
    const lengths = head.subarray(headBytes, headBytes + (head[26] ?? 0))
    const serial = head.readUInt32LE(14)
    if (((head[5] ?? 0) & 2) !== 0) {
      counts.add('streams')
      streams.set(serial, { packets: 0, tags: Buffer.alloc(0) })
    }
    at += headBytes + lengths.length
    for (const { from, length, ends } of piecesOf(lengths)) {
      const stream = streams.get(serial)
      if (stream?.packets === 1) {
        const room = Math.min(length, readBytes - stream.tags.length)
        stream.tags = Buffer.concat([stream.tags, await bytes.at(at + from, room)])
        if (ends) countTags(counts, stream.tags)
      }
      if (!stream || !ends) continue
      stream.packets += 1
      counts.checkPackets(stream.packets)
    }
    at += lengths.reduce((sum, length) => sum + length, 0)
  }
}

/** The packets of a page, or the pieces of them in it; a packet ends with the first segment of fewer than 255 bytes. */
function piecesOf(lengths: Buffer): { from: number; length: number; ends: boolean }[] {
  const pieces: { from: number; length: number; ends: boolean }[] = []
  let [from, to] = [0, 0]
  for (const length of lengths) {
    to += length
    if (length === mostLacing) continue
    pieces.push({ from, length: to - from, ends: true })
    from = to
  }
  if (to > from) pieces.push({ from, length: to - from, ends: false })
  return pieces
}

function countTags(counts: ClaimCounts, packet: Buffer): void {
  const head = tagHead.exec(packet.toString('latin1', 0, 8))?.[0]
  if (head === undefined || packet.length < head.length + 4) return
  const nameBytes = packet.readUInt32LE(head.length)
  const at = head.length + 4 + nameBytes
  // No program has so long a name, which would hide the number of tags.
  counts.add('tags', at + 4 <= packet.length ? packet.readUInt32LE(at) : nameBytes)
}

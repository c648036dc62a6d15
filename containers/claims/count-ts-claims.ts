import type { ClaimCounts, Claiming } from './claim-counts.ts'

const syncByte = 0x47
const packetBytes = 188
const patPid = 0
/** In a file whose packets are not where they should be, the next ones are searched for this far, as ffmpeg does. */
const searchBytes = 1_024

type FoundTsStreams = {
  readonly counts: ClaimCounts
  /** The streams that describe programs, and those that these name. */
  readonly maps: Set<number>
  readonly streams: Set<number>
  /** The number of packets of media in each stream: they all begin with a header of their own. */
  readonly packets: Map<number, number>
}

/** Visits the head of every packet: MPEG-TS has no index, and each of its tables fits into one. */
export async function countTsClaims({ bytes, counts, signal }: Claiming): Promise<void> {
  const found: FoundTsStreams = { counts, maps: new Set(), streams: new Set(), packets: new Map() }
  for (let at = 0; at + packetBytes <= bytes.size;) {
    signal.throwIfAborted()
    const packet = bytes.atHand(at, packetBytes) ?? (await bytes.at(at, packetBytes))
    if (packet.length < packetBytes) return
    if (packet[0] === syncByte) {
      countPacket(found, packet)
      at += packetBytes
    } else {
      // M2TS has four bytes of time before each packet, other files sixteen bytes behind it.
      const near = bytes.atHand(at, searchBytes) ?? (await bytes.at(at, searchBytes))
      const next = near.indexOf(syncByte, 1)
      at += next < 0 ? near.length : next
    }
  }
}

function countPacket({ counts, ...found }: FoundTsStreams, packet: Buffer): void {
  const begins = ((packet[1] ?? 0) & 0x40) !== 0
  if (!begins) return
  const pid = packet.readUInt16BE(1) & 0x1fff
  const control = packet[3] ?? 0
  const from = (control & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
  if ((control & 0x10) === 0 || from + 4 > packet.length) return
  if (packet.readUIntBE(from, 3) === 1) {
    const count = (found.packets.get(pid) ?? 0) + 1
    found.packets.set(pid, count)
    counts.checkPackets(count)
    return
  }
  const section = packet.subarray(from + 1 + (packet[from] ?? 0))
  if (section.length < 12) return
  if (pid === patPid && section[0] === 0) listMaps(section).forEach((map) => found.maps.add(map))
  if (!found.maps.has(pid) || section[0] !== 2) return
  for (const stream of listStreams(section)) {
    if (found.streams.has(stream)) continue
    found.streams.add(stream)
    counts.add('streams')
  }
}

/** The bytes that a section claims, without the checksum, as far as they are in this packet. */
function endOf(section: Buffer): number {
  return Math.min(section.length, 3 + (section.readUInt16BE(1) & 0xfff) - 4)
}

function listMaps(section: Buffer): number[] {
  const pids: number[] = []
  for (let at = 8; at + 4 <= endOf(section); at += 4) {
    pids.push(section.readUInt16BE(at + 2) & 0x1fff)
  }
  return pids
}

function listStreams(section: Buffer): number[] {
  const pids: number[] = []
  let at = 12 + (section.readUInt16BE(10) & 0xfff)
  while (at + 5 <= endOf(section)) {
    pids.push(section.readUInt16BE(at + 1) & 0x1fff)
    at += 5 + (section.readUInt16BE(at + 3) & 0xfff)
  }
  return pids
}

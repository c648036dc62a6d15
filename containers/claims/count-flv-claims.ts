import { AmfReader } from './amf-reader.ts'
import type { Claiming } from './claim-counts.ts'

const headBytes = 9
const tagHeadBytes = 11
const script = 18

/** Visits the head of every tag, and looks into those that describe the file. */
export async function countFlvClaims({ bytes, counts, signal }: Claiming): Promise<void> {
  const head = await bytes.at(0, headBytes)
  if (head.length < headBytes) return
  const packets = new Map<number, number>()
  // The length of the tag before stands in front of each.
  for (let at = Math.max(headBytes, head.readUInt32BE(5)) + 4; at < bytes.size;) {
    signal.throwIfAborted()
    const tag = bytes.atHand(at, tagHeadBytes) ?? (await bytes.at(at, tagHeadBytes))
    if (tag.length < tagHeadBytes) return
    const type = (tag[0] ?? 0) & 0x1f
    const length = tag.readUIntBE(1, 3)
    const count = (packets.get(type) ?? 0) + 1
    packets.set(type, count)
    if (type === script) {
      counts.add('headerParts')
      const to = Math.min(at + tagHeadBytes + length, bytes.size)
      await new AmfReader({ bytes: bytes.beside(), counts, signal }).read(at + tagHeadBytes, to)
    } else counts.checkPackets(count)
    at += tagHeadBytes + length + 4
  }
}

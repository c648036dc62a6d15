import { open } from 'node:fs/promises'
import type { ShownPackets } from './film-tables.ts'
import { nalUnits } from '../../cuts/bits/nal-units.ts'

/** Encoders write only a few zero bytes in a row; a stretch of a file that was never written has more. */
export const emptyBytes = Buffer.alloc(64)
const atOnce = 1 << 20

type StoredPacket = { readonly at: number; readonly position: number; readonly size: number }

/**
 * The second of the first picture whose bytes cannot be those of a coded picture: holes, or units that are longer than their
 * packet. Reads the file and decodes nothing.
 */
export async function damagedPicture(
  file: string,
  packets: ShownPackets,
  { isInUnits, signal }: { readonly isInUnits: boolean; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const order = inFileOrder(packets)
  await using handle = await open(file)
  let memory = Buffer.alloc(0)
  for (let next = 0; next < order.length;) {
    signal.throwIfAborted()
    const together = packetsFrom(packets, order, next)
    const [first, last] = [together[0], together.at(-1)]
    if (!first || !last) return undefined
    const length = last.position + last.size - first.position
    if (memory.length < length) memory = Buffer.allocUnsafeSlow(Math.max(length, atOnce))
    const bytes = memory.subarray(0, length)
    const { bytesRead } = await handle.read(bytes, 0, length, first.position)
    const damaged = together.find(({ position, size }) => {
      const from = position - first.position
      if (from + size > bytesRead) return true
      const packet = bytes.subarray(from, from + size)
      return packet.includes(emptyBytes) || (isInUnits && !isWholeUnits(packet))
    })
    if (damaged) return damaged.at
    next += together.length
  }
  return undefined
}

/** The places of the packets whose place in the file is known: a long film has millions. */
function inFileOrder({ sizes, positions }: ShownPackets): Uint32Array {
  return Uint32Array.from(positions, (_, i) => i)
    .filter((i) => (positions[i] ?? -1) >= 0 && (sizes[i] ?? 0) > 0)
    .sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
}

/** Packets that are read together. */
function packetsFrom(
  { at, sizes, positions }: ShownPackets,
  order: Uint32Array,
  first: number,
): StoredPacket[] {
  const together: StoredPacket[] = []
  for (let next = first; next < order.length; next++) {
    const place = order[next] ?? 0
    const one = { position: positions[place] ?? 0, size: sizes[place] ?? 0, at: at[place] ?? 0 }
    const begin = together[0]?.position ?? one.position
    if (together.length > 0 && one.position + one.size - begin > atOnce) break
    together.push(one)
  }
  return together
}

/** Whether a packet of H.264 or HEVC is units one after the other, each with a head that may be. */
function isWholeUnits(packet: Buffer): boolean {
  for (const unit of nalUnits(packet)) {
    const head = unit?.[0]
    if (head === undefined || head > 127) return false
  }
  return true
}

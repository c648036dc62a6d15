import { open } from 'node:fs/promises'
import type { Packets } from './film-tables.ts'

/** In coded pictures, no more than three bytes of zero follow each other; what was never written has more. */
const emptyBytes = Buffer.alloc(64)
/** H.264 and HEVC are stored as units, each behind its length. */
const lengthBytes = 4
const atOnce = 1 << 22

type Stored = { readonly at: number; readonly position: number; readonly size: number }

/**
 * The second of the first picture whose bytes cannot be those of a coded picture: holes, or units that are longer than their
 * packet. Reads the file and decodes nothing.
 */
export async function damagedPicture(
  file: string,
  { at, sizes, positions }: Packets,
  isInUnits: boolean,
): Promise<number | undefined> {
  const stored = Array.from(positions, (position, i): Stored => ({
    ...{ position, size: sizes[i] ?? 0, at: at[i] ?? 0 },
  }))
    .filter(({ position, size }) => position >= 0 && size > 0)
    .toSorted((a, b) => a.position - b.position)
  const handle = await open(file)
  try {
    for (let next = 0; next < stored.length;) {
      const together = packetsFrom(stored, next)
      const [first, last] = [together[0], together.at(-1)]
      if (!first || !last) return undefined
      const bytes = Buffer.alloc(last.position + last.size - first.position)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, first.position)
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
  } finally {
    await handle.close()
  }
}

/** Packets that are read together. */
function packetsFrom(stored: readonly Stored[], first: number): Stored[] {
  const begin = stored[first]?.position ?? 0
  let end = first + 1
  while (end < stored.length) {
    const { position = 0, size = 0 } = stored[end] ?? {}
    if (position + size - begin > atOnce) break
    end += 1
  }
  return stored.slice(first, end)
}

/** Whether a packet is units one after the other, each with a head that may be. */
function isWholeUnits(packet: Buffer): boolean {
  let at = 0
  while (at + lengthBytes < packet.length) {
    const length = packet.readUInt32BE(at)
    const head = packet[at + lengthBytes] ?? 0
    if (length === 0 || head > 127) return false
    at += lengthBytes + length
  }
  return at === packet.length
}

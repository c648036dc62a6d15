import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { CutFault } from '../cut-fault.ts'
import { cutFiles } from '../plan/cutting.ts'

/** Writes the packets of seams once more, with other units: as many as `rewrite` makes of each. */
export async function rewriteSeams(
  { folder, signal }: ToolContext,
  packing: Packing,
  rewrite: (units: readonly Buffer[], picture: number) => readonly Buffer[],
): Promise<Packing> {
  const encoded = await open(path.join(folder, cutFiles.encoded))
  const seams = await open(path.join(folder, cutFiles.seams), 'w')
  const [positions, sizes] = [packing.positions.slice(), packing.sizes.slice()]
  let written = 0
  try {
    for (let i = 0; i < sizes.length; i++) {
      signal.throwIfAborted()
      const size = packing.sizes[i] ?? 0
      const { buffer } = await encoded.read(Buffer.alloc(size), 0, size, packing.positions[i] ?? 0)
      const packet = packetOf(rewrite(unitsIn(buffer), i))
      await seams.write(packet)
      positions[i] = written
      sizes[i] = packet.length
      written += packet.length
    }
  } finally {
    await Promise.all([encoded.close(), seams.close()])
  }
  return { ...packing, positions, sizes }
}

/** The units of a packet, each of which has its length before it. */
function unitsIn(packet: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = 0
  while (at < packet.length) {
    const end = at + 4 + (at + 4 <= packet.length ? packet.readUInt32BE(at) : Infinity)
    if (end > packet.length) throw new CutFault('its seams are damaged')
    units.push(packet.subarray(at + 4, end))
    at = end
  }
  return units
}

export function packetOf(units: readonly Buffer[]): Buffer {
  const parts = units.flatMap((unit) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(unit.length)
    return [length, unit]
  })
  return Buffer.concat(parts)
}

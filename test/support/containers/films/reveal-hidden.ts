import { readFile, writeFile } from 'node:fs/promises'
import { listed } from '../run-tool.ts'

/**
 * Writes a film in which every hidden frame of a VP9 film is shown as soon as it was decoded, by a frame of one byte that
 * shows an existing one. How many there are.
 */
export async function revealHidden(webm: string, revealed: string): Promise<number> {
  const bytes = await readFile(webm)
  const frames: Buffer[] = []
  let hidden = 0
  for (const line of await listed(webm, 'packet=pos,size')) {
    const [size = 0, position = 0] = line.split(',').map(Number)
    for (const frame of framesOf(bytes.subarray(position + 4, position + 4 + size))) {
      frames.push(frame)
      const slot = hiddenIn(frame)
      if (slot === undefined) continue
      hidden += 1
      // The same profile, and the number of the slot.
      frames.push(Buffer.from([0b10001000 | ((frame[0] ?? 0) & 0b110000) | slot]))
    }
  }
  await writeFile(revealed, ivfOf(frames))
  return hidden
}

function framesOf(packet: Buffer): Buffer[] {
  const marker = packet.at(-1) ?? 0
  const [count, width] = [(marker & 7) + 1, ((marker >> 3) & 3) + 1]
  const index = packet.subarray(-(2 + count * width))
  if (marker >> 5 !== 6 || index[0] !== marker) return [packet]
  let at = 0
  return Array.from({ length: count }, (_, i) => {
    const size = index.readUIntLE(1 + i * width, width)
    at += size
    return packet.subarray(at - size, at)
  })
}

/** A slot that holds the frame if it is hidden. Profiles 0 to 2 only, and no frames without references. */
function hiddenIn(frame: Buffer): number | undefined {
  const bits = [...frame.subarray(0, 4)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const [showsExisting, isInter, isShown, isErrorResilient] = [...bits.slice(4)].map(Number)
  if (showsExisting || isShown) return undefined
  if (!isInter) return 0
  const refreshes = bits.slice(9 + (isErrorResilient ? 0 : 2)).slice(0, 8)
  const last = refreshes.lastIndexOf('1')
  return last < 0 ? undefined : 7 - last
}

function ivfOf(frames: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(32)
  head.write('DKIF\0\0 \0VP90', 'latin1')
  head.writeUInt16LE(128, 12)
  head.writeUInt16LE(16, 14)
  head.writeUInt32LE(25, 16)
  head.writeUInt32LE(1, 20)
  const packets = frames.flatMap((frame, i) => {
    const before = Buffer.alloc(12)
    before.writeUInt32LE(frame.length, 0)
    before.writeUInt32LE(i, 4)
    return [before, frame]
  })
  return Buffer.concat([head, ...packets])
}

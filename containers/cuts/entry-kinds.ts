import { open } from 'node:fs/promises'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import type { Entry } from './find-runs.ts'

/** Codecs whose packets can be copied beside encoded ones. */
export type CutCodec = 'h264' | 'hevc' | 'vp9'

/** Parameter sets and messages come before the picture in its packet; there are never this many of them. */
const mostUnits = 64
const unitHeadBytes = 5

/** Opens a file to find out how a decoder may begin with its packets. Reads a few bytes of each. */
export async function readEntries(path: string, packing: Packing, codec: CutCodec) {
  const handle = await open(path)
  const read = async (at: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(unitHeadBytes),
      0,
      unitHeadBytes,
      at,
    )
    return buffer.subarray(0, bytesRead)
  }
  return {
    async entryOf(packet: number): Promise<Entry> {
      // All pictures after a key picture of VP9 do without what came before it.
      if (codec === 'vp9') return 'closed'
      const start = packing.positions[packet] ?? 0
      const end = start + (packing.sizes[packet] ?? 0)
      return entryOfUnits(codec, { start, end, read })
    },
    close: async () => handle.close(),
  }
}

type Units = { start: number; end: number; read: (at: number) => Promise<Buffer> }

async function entryOfUnits(
  codec: Exclude<CutCodec, 'vp9'>,
  { start, end, read }: Units,
): Promise<Entry> {
  let at = start
  for (let i = 0; i < mostUnits && at + unitHeadBytes <= end; i++) {
    const head = await read(at)
    if (head.length < unitHeadBytes) return 'never'
    const entry = codec === 'h264' ? entryOfAvc(head.readUInt8(4)) : entryOfHevc(head.readUInt8(4))
    if (entry !== undefined) return entry
    at += 4 + head.readUInt32BE(0)
  }
  return 'never'
}

/** Undefined if the unit is not part of a picture. */
function entryOfAvc(first: number): Entry | undefined {
  const kind = first & 31
  // After a key picture that is not an IDR, numbers of pictures go on from what came before it.
  if (kind >= 1 && kind <= 4) return 'never'
  return kind === 5 ? 'closed' : undefined
}

function entryOfHevc(first: number): Entry | undefined {
  const kind = (first >> 1) & 63
  if (kind >= 32) return undefined
  if (kind >= 16 && kind <= 20) return 'closed'
  return kind === 21 ? 'open' : 'never'
}

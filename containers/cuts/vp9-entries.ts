import { blockHeadBytes } from '../ffmpeg/measure-packing.ts'
import { fileOf, type CutSource } from './cutting.ts'
import type { Entry } from './find-runs.ts'
import type { PacketUnits } from './packet-units.ts'

type Stored = Pick<CutSource, 'files' | 'packing'> & { readonly units: PacketUnits }

/** How a decoder may begin with a packet of VP9 in WebM. */
export async function vp9EntryOf({ units, ...source }: Stored, packet: number): Promise<Entry> {
  const at = (source.packing.positions[packet] ?? 0) - blockHeadBytes
  const sizeBytes = blockHeadBytes + 1
  const bytes = await units.bytesOf({ file: fileOf(source, packet), first: 0, at, sizeBytes })
  if (bytes.length < sizeBytes) return 'never'
  // A key picture replaces everything that a decoder of VP9 remembers.
  const isEntry = isPlainBlock(bytes) && isKeyPicture(bytes.readUInt8(blockHeadBytes))
  return isEntry ? 'closed' : 'never'
}

/** Whether the block has a short track number and a single packet, which then begins where we take it to begin. */
function isPlainBlock(head: Buffer): boolean {
  const lacing = head.readUInt8(blockHeadBytes - 1) & 0b110
  return (head.readUInt8(0) & 128) !== 0 && lacing === 0
}

/** Reads the first bits of a picture: a mark, its profile, whether it repeats another one, and whether it is no key. */
function isKeyPicture(first: number): boolean {
  const profile = (first >> 4) & 3
  // The last profile has one more bit.
  const rest = profile === 3 ? first : first >> 1
  return first >> 6 === 2 && ((rest >> 1) & 3) === 0
}

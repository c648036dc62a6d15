import { blockHeadBytes } from '../../ffmpeg/measure-packing.ts'
import { BitReader } from '../bits/bit-reader.ts'
import type { PacketUnits } from '../bits/packet-units.ts'

/** What the uncompressed header of a VP9 frame says of the eight reference slots. */
export type Vp9Frame =
  | { readonly showsExisting: true; readonly slot: number }
  | {
      readonly showsExisting: false
      readonly isKey: boolean
      /** `show_frame`; the others are hidden: decoded, and shown later or never. */
      readonly isShown: boolean
      /** The slots that hold the frame from here on (`refresh_frame_flags`). */
      readonly refreshes: readonly number[]
      /** The slots that it is predicted from (`ref_frame_idx`). */
      readonly references: readonly number[]
    }

const slots = [0, 1, 2, 3, 4, 5, 6, 7] as const

/** How a decoder may begin with a packet of VP9 in WebM: a key frame replaces everything that it remembers. */
export async function vp9EntryOf(units: PacketUnits, packet: number): Promise<'closed' | 'never'> {
  const [first] = (await isPlainBlock(units, packet)) ? await framesOf(units, packet) : []
  return first?.showsExisting === false && first.isKey ? 'closed' : 'never'
}

/** Whether the block has a short track number and a single packet, which then begins where we take it to begin. */
async function isPlainBlock(units: PacketUnits, packet: number): Promise<boolean> {
  const head = await units.bytesAt(packet, -blockHeadBytes, blockHeadBytes)
  if (head.length < blockHeadBytes) return false
  const lacing = head.readUInt8(blockHeadBytes - 1) & 0b110
  return (head.readUInt8(0) & 128) !== 0 && lacing === 0
}

/** The frames of a packet in decoding order; none if it is not made of frames of VP9. */
export async function framesOf(units: PacketUnits, packet: number): Promise<Vp9Frame[]> {
  const bytes = await units.bytesAt(packet, 0, units.sizeOf(packet))
  const frames: Vp9Frame[] = []
  let at = 0
  for (const sizeBytes of frameSizes(bytes)) {
    const frame = readHeader(bytes.subarray(at, at + sizeBytes))
    if (!frame) return []
    frames.push(frame)
    at += sizeBytes
  }
  return frames
}

/** The sizes of the frames in a packet, which its superframe index tells if it has one. */
function frameSizes(packet: Buffer): number[] {
  const marker = packet.at(-1) ?? 0
  const frames = (marker & 7) + 1
  const bytesEach = ((marker >> 3) & 3) + 1
  const index = packet.subarray(-(2 + frames * bytesEach))
  const isIndex = marker >> 5 === 6 && index[0] === marker
  if (!isIndex) return [packet.length]
  const sizes = Array.from({ length: frames }, (_, i) =>
    index.readUIntLE(1 + i * bytesEach, bytesEach),
  )
  const isWhole = sizes.reduce((sum, size) => sum + size, index.length) === packet.length
  return isWhole ? sizes : []
}

function readHeader(head: Buffer): Vp9Frame | undefined {
  try {
    return readUncompressedHeader(new BitReader(head))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const frameMarker = 2

function readUncompressedHeader(reader: BitReader): Vp9Frame | undefined {
  if (reader.u(2) !== frameMarker) return undefined
  const profile = reader.u(1) + 2 * reader.u(1)
  if (profile === 3) reader.flag()
  if (reader.flag()) return { showsExisting: true, slot: reader.u(3) }
  const isKey = !reader.flag()
  const isShown = reader.flag()
  const isErrorResilient = reader.flag()
  const frame = { showsExisting: false, isKey, isShown } as const
  if (isKey) return { ...frame, refreshes: slots, references: [] }
  const isIntraOnly = !isShown && reader.flag()
  // reset_frame_context
  if (!isErrorResilient) reader.u(2)
  if (isIntraOnly) skipColours(reader, profile)
  const flags = reader.u(slots.length)
  const refreshes = slots.filter((slot) => (flags >> slot) & 1)
  if (isIntraOnly) return { ...frame, refreshes, references: [] }
  const references = [0, 1, 2].map(() => {
    const slot = reader.u(3)
    // ref_frame_sign_bias
    reader.flag()
    return slot
  })
  return { ...frame, refreshes, references }
}

const rgb = 7

/** `frame_sync_code`, and `color_config` where an intra-only frame has one. */
function skipColours(reader: BitReader, profile: number): void {
  reader.u(24)
  if (profile === 0) return
  if (profile >= 2) reader.flag()
  const hasSubsampling = profile === 1 || profile === 3
  if (reader.u(3) !== rgb) reader.u(hasSubsampling ? 4 : 1)
  else if (hasSubsampling) reader.flag()
}

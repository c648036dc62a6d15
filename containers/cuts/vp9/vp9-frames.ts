import { blockHeadBytes } from '../../ffmpeg/measure-packing.ts'
import { BitReader, unlessCutOff } from '../bits/bit-reader.ts'
import type { PacketUnits } from '../bits/packet-units.ts'

/** What the uncompressed header of a VP9 frame does with the eight reference slots. */
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

/** How a decoder may begin with a packet of VP9 in WebM: a key frame replaces everything that it has stored. */
export async function vp9EntryOf(units: PacketUnits, packet: number): Promise<'closed' | 'never'> {
  const [first] = (await isPlainBlock(units, packet)) ? await vp9FramesOf(units, packet) : []
  return first?.showsExisting === false && first.isKey ? 'closed' : 'never'
}

/** Whether the block has a short track number and a single packet, whose start is then where it is assumed to be. */
async function isPlainBlock(units: PacketUnits, packet: number): Promise<boolean> {
  const head = await units.bytesAt(packet, -blockHeadBytes, blockHeadBytes)
  if (head.length < blockHeadBytes) return false
  const lacing = head.readUInt8(blockHeadBytes - 1) & 0b110
  return (head.readUInt8(0) & 128) !== 0 && lacing === 0
}

/** The frames of a packet in decoding order; none if it does not consist of frames of VP9. */
export async function vp9FramesOf(units: PacketUnits, packet: number): Promise<Vp9Frame[]> {
  const bytes = await units.bytesAt(packet, 0, units.sizeOf(packet))
  const frames: Vp9Frame[] = []
  let at = 0
  for (const sizeBytes of frameSizes(bytes)) {
    const header = new BitReader(bytes.subarray(at, at + sizeBytes))
    const frame = unlessCutOff(() => readUncompressedHeader(header))
    if (!frame) return []
    frames.push(frame)
    at += sizeBytes
  }
  return frames
}

/** The sizes of the frames in a packet, from its superframe index if it has one. */
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

const frameMarker = 2

/** uncompressed_header: 6.2 of the VP9 bitstream specification. */
function readUncompressedHeader(reader: BitReader): Vp9Frame | undefined {
  if (reader.u(2) !== frameMarker) return undefined
  const profile = reader.u(1) + 2 * reader.u(1) // profile_low_bit, profile_high_bit
  if (profile === 3) reader.flag() // reserved_zero
  const showsExisting = reader.flag() // show_existing_frame
  if (showsExisting) return { showsExisting, slot: reader.u(3) } // frame_to_show_map_idx
  const isKey = !reader.flag() // frame_type
  const isShown = reader.flag() // show_frame
  const isErrorResilient = reader.flag() // error_resilient_mode
  const frame = { showsExisting, isKey, isShown }
  if (isKey) return { ...frame, refreshes: slots, references: [] }
  const isIntraOnly = !isShown && reader.flag() // intra_only
  if (!isErrorResilient) reader.u(2) // reset_frame_context
  if (isIntraOnly) skipColours(reader, profile)
  const flags = reader.u(slots.length) // refresh_frame_flags
  const refreshes = slots.filter((slot) => (flags >> slot) & 1)
  if (isIntraOnly) return { ...frame, refreshes, references: [] }
  const references = [0, 1, 2].map(() => {
    const slot = reader.u(3) // ref_frame_idx
    reader.flag() // ref_frame_sign_bias
    return slot
  })
  return { ...frame, refreshes, references }
}

/** color_space of RGB. */
const csRgb = 7

/** frame_sync_code, and color_config (6.2.2) where an intra-only frame has one. */
function skipColours(reader: BitReader, profile: number): void {
  reader.u(24) // frame_sync_code
  if (profile === 0) return
  if (profile >= 2) reader.flag() // ten_or_twelve_bit
  const hasSubsampling = profile === 1 || profile === 3
  const isRgb = reader.u(3) === csRgb
  if (!isRgb) reader.flag() // color_range
  if (hasSubsampling && !isRgb) reader.u(2) // subsampling_x, subsampling_y
  if (hasSubsampling) reader.flag() // reserved_zero
}

import { BitReader } from '../bits/bit-reader.ts'
import { withoutEscapes, withoutTrailingZeros } from '../bits/coded-bits.ts'
import { avcUnitType, hevcUnitType, nalUnits } from '../bits/nal-units.ts'
import type { PacketUnits } from '../bits/packet-units.ts'
import { hasClosedCaptions, seiMessages } from '../bits/sei.ts'
import type { CutSource, Cutting, Piece } from '../cut-model.ts'
import { parameterSetsIn } from '../mp4/describe-film.ts'
import { removesPictures } from './cutting.ts'

type UnitKind = 'parameter set' | 'SEI' | 'first slice' | 'other'

/** NAL unit types of H.264: Table 7-1. Slices are those without data partitioning, and partition A. */
const avcTypes = { slices: [1, 2, 5], sei: 6, parameterSets: [7, 8] }
/** NAL unit types of H.265: Table 7-1. All below that of the VPS are slices or reserved for them. */
const hevcTypes = { vps: 32, pps: 34, sei: [39, 40] }

function avcKind([first = 0, second = 0]: Buffer): UnitKind {
  const type = avcUnitType(first)
  if (avcTypes.parameterSets.includes(type)) return 'parameter set'
  if (type === avcTypes.sei) return 'SEI'
  const isFirst = (second & 128) !== 0 // first_mb_in_slice is 0
  return avcTypes.slices.includes(type) && isFirst ? 'first slice' : 'other'
}

function hevcKind([first = 0, second = 0, third = 0]: Buffer): UnitKind {
  const type = hevcUnitType(first)
  if (hevcTypes.sei.includes(type)) return 'SEI'
  if (type >= hevcTypes.vps) return type <= hevcTypes.pps ? 'parameter set' : 'other'
  const nuhLayerId = ((first & 1) << 5) | (second >> 3)
  const isFirst = (third & 128) !== 0 // first_slice_segment_in_pic_flag
  return nuhLayerId === 0 && isFirst ? 'first slice' : 'other'
}

const codings = {
  h264: { kindOf: avcKind, headBytes: 1 },
  hevc: { kindOf: hevcKind, headBytes: 2 },
} as const

/**
 * Finds what keeps packets from being copied:
 *
 * - parameter sets that the header has not. A cut could leave out those that later pictures need, and later ones could take
 *   the place of those that seams are coded for;
 * - pictures without a packet of their own, of which nobody knows whether they were removed;
 * - closed captions, if something was removed. They come before the picture that they are shown with, or long after what they
 *   tell was said, so those of kept pictures tell what was removed.
 */
export function unitFaults(
  cutting: Pick<Cutting, 'source' | 'parts'>,
): (packets: Buffer, count: number) => string | undefined {
  const { codec, model } = cutting.source
  if (codec === 'vp9') return () => undefined
  // Some programs take a zero of the next start code for a part of a set when they write a header.
  const told = parameterSetsIn(codec, model.description).map(withoutTrailingZeros)
  const { kindOf, headBytes } = codings[codec]
  const isCut = removesPictures(cutting)
  return (packets, count) => {
    let pictures = 0
    for (const unit of nalUnits(packets)) {
      // The units after this one could not be found.
      if (!unit) return 'some of its packets are damaged'
      const kind = kindOf(unit)
      const isTold = (): boolean => told.some((set) => set.equals(withoutTrailingZeros(unit)))
      if (kind === 'parameter set' && !isTold())
        return 'its parameter sets change among its pictures'
      if (isCut && kind === 'SEI' && isCaptioned(unit, headBytes)) return captionFault
      if (kind === 'first slice') pictures += 1
    }
    return pictures > count ? 'some of its packets hold several pictures' : undefined
  }
}

const captionFault = 'its pictures have closed captions'

/** The same checks, as far as the header and the first picture of each run allow them before cutting. */
export async function faultBeforeCut(
  units: PacketUnits,
  { codec, model }: Pick<CutSource, 'codec' | 'model'>,
  pieces: readonly Piece[],
): Promise<string | undefined> {
  if (codec === 'vp9') return undefined
  if (codec === 'hevc' && parameterSetsIn(codec, model.description).some(hidesPictures)) {
    return 'some of its pictures may be hidden'
  }
  const { kindOf, headBytes } = codings[codec]
  for (const piece of pieces) {
    if (piece.kind === 'seam') continue
    for await (const unit of units.of(piece.from)) {
      if (kindOf(Buffer.of(unit.first)) !== 'SEI') continue
      if (isCaptioned(await units.bytesOf(unit, mostMessageBytes), headBytes)) return captionFault
    }
  }
  return undefined
}

const mostMessageBytes = 4_096

function isCaptioned(unit: Buffer, headBytes: number): boolean {
  const messages = seiMessages(withoutEscapes(unit).subarray(headBytes))
  return [...messages].some(hasClosedCaptions)
}

/** Whether slices of a picture parameter set have a `pic_output_flag`, with which a picture is decoded and never shown. */
function hidesPictures(set: Buffer): boolean {
  if (hevcUnitType(set[0] ?? 0) !== hevcTypes.pps) return false
  const reader = new BitReader(withoutEscapes(set).subarray(codings.hevc.headBytes))
  reader.ue() // pps_pic_parameter_set_id
  reader.ue() // pps_seq_parameter_set_id
  reader.flag() // dependent_slice_segments_enabled_flag
  return reader.flag() // output_flag_present_flag
}

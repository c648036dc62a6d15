import { BitReader, ueIn } from '../bits/bit-reader.ts'
import { replaceBits, withEscapes, withoutEscapes } from '../bits/coded-bits.ts'
import { hevcUnitType } from '../bits/nal-units.ts'
import { CutFault } from '../cut-fault.ts'

/**
 * The id of the parameter sets of seams. x265 gives them the id 0, as most cameras do. As the code of 15 has eight bits more
 * than that of 0, all later bits keep their places in their bytes and need not be parsed.
 */
export const hevcSeamSetId = 15

/** NAL unit types: H.265, Table 7-1. Pictures at which decoding can begin are IRAP pictures. */
const unitTypes = { vclEnd: 32, irapFrom: 16, irapTo: 23, vps: 32, sps: 33, pps: 34 }

/** A unit that x265 made, with the id of the seams in place of that of every parameter set that it has or names. */
export function renumberHevc(unit: Buffer): Buffer {
  const type = hevcUnitType(unit[0] ?? 0)
  if (type === unitTypes.vps) return withFirstNumber(unit)
  if (type === unitTypes.sps) return withFirstNumber(replaceIds(unit, spsIdAt, 1))
  if (type === unitTypes.pps) return replaceIds(unit, unitHeaderBits, 2)
  if (type >= unitTypes.vclEnd) return unit
  // slice_segment_header (7.3.6.1): first_slice_segment_in_pic_flag and, of IRAP pictures, no_output_of_prior_pics_flag come
  // before slice_pic_parameter_set_id.
  const isIrap = type >= unitTypes.irapFrom && type <= unitTypes.irapTo
  return replaceIds(unit, unitHeaderBits + (isIrap ? 2 : 1), 1)
}

const unitHeaderBits = 16
/** seq_parameter_set_rbsp (7.3.2.2): behind a byte with sps_video_parameter_set_id, and twelve of profile_tier_level. */
const spsIdAt = unitHeaderBits + 8 + 96

/** Sets the four bits behind the header of a unit: vps_video_parameter_set_id, or that which an SPS names. */
function withFirstNumber(unit: Buffer): Buffer {
  const numbered = withoutEscapes(unit)
  numbered[2] = ((numbered[2] ?? 0) & 15) | (hevcSeamSetId << 4)
  return withEscapes(numbered)
}

/** Replaces ids of parameter sets, which are all 0 and so a bit each. */
function replaceIds(unit: Buffer, from: number, count: number): Buffer {
  const plain = withoutEscapes(unit)
  const to = from + count
  if (new BitReader(plain, from).u(count) !== 2 ** count - 1) {
    throw new CutFault('its seams were encoded with other parameter sets')
  }
  const replaced = replaceBits(plain, { from, to }, (writer) => {
    for (let i = 0; i < count; i++) writer.ue(hevcSeamSetId)
  })
  return withEscapes(replaced)
}

/** The id of a parameter set; undefined for other units. */
export function parameterSetId(unit: Buffer): number | undefined {
  const plain = withoutEscapes(unit)
  const [type, third = 0] = [hevcUnitType(plain[0] ?? 0), plain[2]]
  if (type === unitTypes.vps) return third >> 4
  if (type === unitTypes.pps) return ueIn(plain.subarray(2))
  if (type !== unitTypes.sps) return undefined
  return ueIn(plain.subarray(spsIdAt / 8 + layerBytes((third >> 1) & 7, plain)))
}

/** profile_tier_level (7.3.3) may continue with the profile and level of each temporal sub-layer but the highest. */
function layerBytes(layers: number, plain: Buffer): number {
  if (layers === 0) return 0
  const reader = new BitReader(plain, spsIdAt)
  // Two bytes with sub_layer_profile_present_flag and sub_layer_level_present_flag of each.
  let bytes = 2
  for (let i = 0; i < layers; i++) bytes += (reader.flag() ? 11 : 0) + (reader.flag() ? 1 : 0)
  return bytes
}

/** A unit EOS_NUT: a decoder treats what follows as the beginning of a stream. */
export const endOfSequence = Buffer.from([36 << 1, 1])

import type { AvcConfig } from './avc-config.ts'
import { BitReader, unlessCutOff } from '../bits/bit-reader.ts'
import { withoutEscapes } from '../bits/coded-bits.ts'

/** The fields of a sequence parameter set that a slice header depends on: H.264, 7.3.2.1.1. */
export type Sps = {
  /** seq_parameter_set_id */
  readonly id: number
  /** chroma_format_idc is not 0. */
  readonly hasChroma: boolean
  /** log2_max_frame_num */
  readonly frameNumBits: number
  /** log2_max_pic_order_cnt_lsb; undefined with pic_order_cnt_type 2: pictures are shown in the order in which they are stored. */
  readonly pocLsbBits: number | undefined
  /** max_num_ref_frames */
  readonly maxNumRefFrames: number
  /** The size of its pictures after cropping. Nothing is cropped at the left or the top. */
  readonly width: number
  readonly height: number
}

/** The fields of a picture parameter set that a slice header depends on: H.264, 7.3.2.2. */
export type Pps = {
  /** pic_parameter_set_id */
  readonly id: number
  /** entropy_coding_mode_flag */
  readonly isCabac: boolean
  /** bottom_field_pic_order_in_frame_present_flag */
  readonly hasPocOfBottomField: boolean
  /** num_ref_idx_l0 and l1_default_active: how many references a slice has that does not say. */
  readonly numRefIdxActive: readonly [number, number]
  /** weighted_pred_flag */
  readonly hasWeightedPred: boolean
  /** weighted_bipred_idc is 1: weights are written. */
  readonly hasWeightedBipred: boolean
  /** 26 and pic_init_qp_minus26 */
  readonly initQp: number
  /** deblocking_filter_control_present_flag */
  readonly hasDeblockingControl: boolean
  /** Where in the set, without emulation prevention bytes, seq_parameter_set_id is. */
  readonly spsIdAt: { readonly from: number; readonly to: number }
}

/** The only SPS of a film, and its PPS by their ids. */
export type AvcParameterSets = {
  readonly sps: Sps
  readonly ppsById: ReadonlyMap<number, Pps>
}

/**
 * Reads the parameter sets of an `avcC` record. Undefined if there are several SPS, or if slices could not be written
 * for them: with fields, scaling matrices, slice groups, or pic_order_cnt_type 1.
 */
export function readAvcParameterSets(config: AvcConfig): AvcParameterSets | undefined {
  const [first, ...others] = config.sps
  if (!first || others.length > 0) return undefined
  return unlessCutOff(() => {
    const sps = readSps(first)
    const sets = config.pps.map(readPps)
    const ppsById = new Map(
      sets.flatMap((pps) => (pps?.spsId === sps?.id && pps ? [[pps.id, pps]] : [])),
    )
    return sps && ppsById.size === sets.length ? { sps, ppsById } : undefined
  })
}

/** The profiles whose SPS has chroma_format_idc, bit depths and scaling matrices: High, High 10 and High 4:2:2. */
const highProfiles = [100, 110, 122]
const extendedProfile = 88
const nalHeaderBytes = 1
const largestSpsId = 31

function readSps(unit: Buffer): Sps | undefined {
  const reader = new BitReader(withoutEscapes(unit).subarray(nalHeaderBytes))
  const profileIdc = reader.u(8)
  reader.u(8) // constraint_set flags and reserved bits
  reader.u(8) // level_idc
  const id = reader.ue()
  const chromaFormatIdc = highProfiles.includes(profileIdc) ? readChroma(reader) : 1
  const frameNumBits = reader.ue() + 4
  const pocType = reader.ue()
  const pocLsbBits = pocType === 0 ? reader.ue() + 4 : undefined
  const maxNumRefFrames = reader.ue()
  reader.flag() // gaps_in_frame_num_value_allowed_flag
  const [widthInMbs, heightInMbs] = [reader.ue() + 1, reader.ue() + 1]
  const isFrameMbsOnly = reader.flag()
  reader.flag() // direct_8x8_inference_flag
  const crop = reader.flag() ? [1, 2, 3, 4].map(() => reader.ue()) : [0, 0, 0, 0]
  const isOurs =
    chromaFormatIdc !== undefined &&
    profileIdc <= 122 &&
    profileIdc !== extendedProfile &&
    id <= largestSpsId
  const isCounted = pocType !== 1 && Math.max(frameNumBits, pocLsbBits ?? 0) <= 16
  if (!isOurs || !isCounted || !isFrameMbsOnly || maxNumRefFrames > 16) return undefined
  const [left = 0, right = 0, top = 0, bottom = 0] = crop
  if (left > 0 || top > 0) return undefined
  const cropUnitX = chromaFormatIdc === 0 ? 1 : 2
  const cropUnitY = chromaFormatIdc === 1 ? 2 : 1
  const width = widthInMbs * 16 - right * cropUnitX
  const height = heightInMbs * 16 - bottom * cropUnitY
  // An encoder makes as few macroblocks as possible.
  if (width <= widthInMbs * 16 - 16 || height <= heightInMbs * 16 - 16) return undefined
  const hasChroma = chromaFormatIdc > 0
  return { id, hasChroma, frameNumBits, pocLsbBits, maxNumRefFrames, width, height }
}

/** chroma_format_idc; undefined if encoded slices would not fit. */
function readChroma(reader: BitReader): number | undefined {
  const chromaFormatIdc = reader.ue()
  // With 4:4:4, separate_colour_plane_flag would follow, but then nothing fits anyway.
  reader.ue() // bit_depth_luma_minus8
  reader.ue() // bit_depth_chroma_minus8
  const bypassesTransform = reader.flag()
  const hasScalingMatrices = reader.flag()
  return chromaFormatIdc > 2 || bypassesTransform || hasScalingMatrices
    ? undefined
    : chromaFormatIdc
}

export function readPps(unit: Buffer): (Pps & { spsId: number }) | undefined {
  const reader = new BitReader(withoutEscapes(unit))
  reader.u(8 * nalHeaderBytes)
  const id = reader.ue()
  const from = reader.at
  const spsId = reader.ue()
  const to = reader.at
  const [isCabac, hasPocOfBottomField] = [reader.flag(), reader.flag()]
  const numSliceGroupsMinus1 = reader.ue()
  if (numSliceGroupsMinus1 > 0) return undefined
  const numRefIdxActive = [reader.ue() + 1, reader.ue() + 1] as const
  const [hasWeightedPred, hasWeightedBipred] = [reader.flag(), reader.u(2) === 1]
  const initQp = 26 + reader.se()
  reader.se() // pic_init_qs_minus26
  reader.se() // chroma_qp_index_offset
  const hasDeblockingControl = reader.flag()
  reader.flag() // constrained_intra_pred_flag
  const hasRedundantPicCnt = reader.flag()
  if (hasRedundantPicCnt) return undefined
  return {
    ...{ id, spsId, isCabac, hasPocOfBottomField, numRefIdxActive, hasWeightedPred },
    ...{ hasWeightedBipred, initQp, hasDeblockingControl, spsIdAt: { from, to } },
  }
}

import type { AvcParameterSets, Pps } from './avc-parameter-sets.ts'
import { BitReader } from '../bits/bit-reader.ts'
import type { BitSpan } from '../bits/bit-writer.ts'

/**
 * What a decoder does with its references after decoding a picture: memory_management_control_operation with its values. If
 * empty, the oldest one is dropped.
 */
type Marking = readonly (readonly number[])[]

/** The header of a slice of H.264: 7.3.3. */
export type SliceHeader = {
  readonly isIdr: boolean
  /** Zero if no other picture refers to this one. */
  readonly nalRefIdc: number
  readonly type: SliceType
  readonly frameNum: number
  /** pic_order_cnt_lsb: the lower bits of its place in display order. */
  readonly poc: number
  readonly refPicMarking: Marking
  /** long_term_reference_flag of an IDR picture. */
  readonly isLongTerm: boolean
  readonly isCabac: boolean
  /** SliceQP_Y: how coarsely it is coded, from 0 to 51. */
  readonly quantizer: number
  /** Where its parts begin and end, in bits from the beginning of the unit. */
  readonly at: { readonly numbers: BitSpan; readonly marking: BitSpan; readonly data: number }
}

/** Types of NAL units that are slices of whole pictures: Table 7-1. */
export const sliceUnits = { nonIdr: 1, idr: 5 } as const

/** By slice_type modulo 5: Table 7-6. */
const types = ['P', 'B', 'I', 'SP', 'SI'] as const
type SliceType = (typeof types)[number]

/** Reads the header of a slice without emulation prevention bytes; undefined for other kinds and unknown parameter sets. */
export function readSliceHeader(
  plain: Buffer,
  { sps, ppsById }: AvcParameterSets,
): SliceHeader | undefined {
  const reader = new BitReader(plain)
  reader.flag() // forbidden_zero_bit
  const nalRefIdc = reader.u(2)
  const unitType = reader.u(5)
  const isIdr = unitType === sliceUnits.idr
  if (!isIdr && unitType !== sliceUnits.nonIdr) return undefined
  reader.ue() // first_mb_in_slice
  const type = types[reader.ue() % 5] ?? 'SI'
  const pps = ppsById.get(reader.ue())
  if (!pps || type === 'SP' || type === 'SI') return undefined
  const from = reader.at
  const frameNum = reader.u(sps.frameNumBits)
  if (isIdr) reader.ue() // idr_pic_id
  const poc = reader.u(sps.pocLsbBits ?? 0)
  if (sps.pocLsbBits !== undefined && pps.hasPocOfBottomField) reader.se() // delta_pic_order_cnt_bottom
  const numbers = { from, to: reader.at }
  skipRefPicLists(reader, { type, pps, hasChroma: sps.hasChroma })
  const markingFrom = reader.at
  const { operations, isLongTerm } = readMarking(reader, { isIdr, nalRefIdc })
  const marking = { from: markingFrom, to: reader.at }
  const quantizer = readRest(reader, { type, pps })
  return {
    ...{ isIdr, nalRefIdc, type, frameNum, poc, refPicMarking: operations, isLongTerm },
    ...{ isCabac: pps.isCabac, quantizer },
    at: { numbers, marking, data: reader.at },
  }
}

type Lists = { type: SliceType; pps: Pps; hasChroma: boolean }

/** num_ref_idx_active_override_flag, ref_pic_list_modification (7.3.3.1) and pred_weight_table (7.3.3.2). */
function skipRefPicLists(reader: BitReader, { type, pps, hasChroma }: Lists): void {
  if (type === 'B') reader.flag() // direct_spatial_mv_pred_flag
  const lists = type === 'I' ? 0 : type === 'B' ? 2 : 1
  if (lists === 0) return
  const overrides = reader.flag()
  const counts = pps.numRefIdxActive
    .slice(0, lists)
    .map((count) => (overrides ? reader.ue() + 1 : count))
  for (let list = 0; list < lists; list++) {
    const isModified = reader.flag()
    if (!isModified) continue
    // modification_of_pic_nums_idc with its value; 3 ends the list.
    while (reader.ue() !== 3) reader.ue()
  }
  if (type === 'B' ? pps.hasWeightedBipred : pps.hasWeightedPred) {
    skipWeights(reader, counts, hasChroma)
  }
}

function skipWeights(reader: BitReader, counts: readonly number[], hasChroma: boolean): void {
  reader.ue() // luma_log2_weight_denom
  if (hasChroma) reader.ue() // chroma_log2_weight_denom
  for (const count of counts) {
    for (let i = 0; i < count; i++) {
      // A weight and an offset for luma, then for both chroma planes.
      for (const planes of hasChroma ? [1, 2] : [1]) {
        const hasWeights = reader.flag()
        if (!hasWeights) continue
        for (let value = 0; value < 2 * planes; value++) reader.se()
      }
    }
  }
}

/** How many values each memory_management_control_operation has: Table 7-9. */
const valueCounts = [0, 1, 1, 2, 1, 0, 1]

/** dec_ref_pic_marking: 7.3.3.3. */
function readMarking(
  reader: BitReader,
  { isIdr, nalRefIdc }: Pick<SliceHeader, 'isIdr' | 'nalRefIdc'>,
): { operations: number[][]; isLongTerm: boolean } {
  const operations: number[][] = []
  if (nalRefIdc === 0) return { operations, isLongTerm: false }
  if (isIdr) {
    reader.flag() // no_output_of_prior_pics_flag
    return { operations, isLongTerm: reader.flag() }
  }
  const isAdaptive = reader.flag()
  if (!isAdaptive) return { operations, isLongTerm: false }
  for (;;) {
    const operation = reader.ue()
    const count = valueCounts[operation]
    if (count === undefined) throw new RangeError('An unknown operation')
    if (operation === 0) return { operations, isLongTerm: false }
    operations.push([operation, ...Array.from({ length: count }, () => reader.ue())])
  }
}

/** Reads up to the macroblocks, and returns the quantizer. */
function readRest(reader: BitReader, { type, pps }: Pick<Lists, 'type' | 'pps'>): number {
  if (pps.isCabac && type !== 'I') reader.ue() // cabac_init_idc
  const quantizer = pps.initQp + reader.se() // slice_qp_delta
  const disablesDeblocking = pps.hasDeblockingControl && reader.ue() === 1
  if (!pps.hasDeblockingControl || disablesDeblocking) return quantizer
  reader.se() // slice_alpha_c0_offset_div2
  reader.se() // slice_beta_offset_div2
  return quantizer
}

/** The numbers by which a decoder tells pictures apart, to be written. */
export type PictureNumbers = {
  /** A number that its neighbours do not have, for a picture with which a decoder starts over; else undefined. */
  readonly idrPicId: number | undefined
  readonly nalRefIdc: number
  readonly frameNum: number
  readonly poc: number
  readonly refPicMarking: Marking
}

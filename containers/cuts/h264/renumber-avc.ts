import { BitWriter } from '../bits/bit-writer.ts'
import {
  replaceBits,
  withEscapes,
  withoutEscapes,
  withoutTrailingZeros,
} from '../bits/coded-bits.ts'
import { CutFault } from '../cut-fault.ts'
import { readPps, type AvcParameterSets, type Sps } from './avc-parameter-sets.ts'
import { readSliceHeader, sliceUnits, type PictureNumbers } from './avc-slice.ts'

/** More than new numbers and markings can add to a slice. */
const mostAddedBytes = 1_024

/** A slice with other numbers, rewritten for an SPS other than the one that it was encoded with. */
export function renumberAvc(
  unit: Buffer,
  sets: AvcParameterSets,
  numbers: PictureNumbers,
  sps: Sps,
): Buffer {
  const plain = withoutTrailingZeros(withoutEscapes(unit))
  const slice = readSliceHeader(plain, sets)
  if (!slice) throw new CutFault('its seams cannot be numbered')
  const { at, isCabac } = slice
  const writer = new BitWriter(plain.length + mostAddedBytes)
  writer.u(numbers.nalRefIdc, 3) // with forbidden_zero_bit
  writer.u(numbers.idrPicId === undefined ? sliceUnits.nonIdr : sliceUnits.idr, 5)
  writer.copy(plain, { from: 8, to: at.numbers.from })
  writeNumbers(writer, numbers, sps)
  writer.copy(plain, { from: at.numbers.to, to: at.marking.from })
  writeMarking(writer, numbers)
  writer.copy(plain, { from: at.marking.to, to: at.data })
  // slice_data begins with cabac_alignment_one_bit up to a whole byte: 7.3.4.
  while (isCabac && writer.at % 8 > 0) writer.u(1, 1)
  const data = isCabac ? Math.ceil(at.data / 8) * 8 : at.data
  writer.copy(plain, { from: data, to: plain.length * 8 })
  return withEscapes(withoutTrailingZeros(writer.bytes()))
}

/** From frame_num to pic_order_cnt_lsb: 7.3.3. */
function writeNumbers(
  writer: BitWriter,
  { idrPicId, frameNum, poc }: PictureNumbers,
  { frameNumBits, pocLsbBits = 0 }: Sps,
): void {
  writer.u(frameNum, frameNumBits)
  if (idrPicId !== undefined) writer.ue(idrPicId)
  writer.u(poc, pocLsbBits)
}

/** dec_ref_pic_marking: 7.3.3.3. */
function writeMarking(
  writer: BitWriter,
  { idrPicId, nalRefIdc, refPicMarking }: PictureNumbers,
): void {
  if (nalRefIdc === 0) return
  if (idrPicId !== undefined) {
    writer.u(0, 1) // no_output_of_prior_pics_flag
    writer.u(0, 1) // long_term_reference_flag
    return
  }
  writer.u(refPicMarking.length > 0 ? 1 : 0, 1) // adaptive_ref_pic_marking_mode_flag
  if (refPicMarking.length > 0) for (const value of [...refPicMarking, [0]].flat()) writer.ue(value)
}

/** A PPS that belongs to another SPS. */
export function withSpsId(unit: Buffer, { id }: Sps): Buffer {
  const set = readPps(unit)
  if (!set) throw new CutFault('the parameter sets of its seams are damaged')
  return withEscapes(
    replaceBits(withoutEscapes(unit), set.spsIdAt, (writer) => {
      writer.ue(id)
    }),
  )
}

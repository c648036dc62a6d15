import {
  readSliceHeader,
  bitsBetween,
  markingText,
  numbersText,
  sliceUnits,
  type PictureNumbers,
} from './avc-slice.ts'
import { readPps, type AvcSets } from './avc-sets.ts'
import {
  bytesOfBits,
  ueCode,
  replaceBits,
  withEscapes,
  withoutEscapes,
  withoutTrailingZeros,
} from '../bits/coded-bits.ts'
import { CutFault } from '../cut-fault.ts'

const headBits = 8

/** A slice with other numbers, written for another SPS than that it was encoded for. */
export function renumberAvc(
  unit: Buffer,
  sets: AvcSets,
  numbers: PictureNumbers,
  sps: AvcSets['sps'],
): Buffer {
  const plain = withoutTrailingZeros(withoutEscapes(unit))
  const slice = readSliceHeader(plain, sets)
  if (!slice) throw new CutFault('its seams cannot be numbered')
  const { at, isCabac } = slice
  const unitType = numbers.idrPicId === undefined ? sliceUnits.nonIdr : sliceUnits.idr
  const head = [
    ((numbers.nalRefIdc << 5) | unitType).toString(2).padStart(headBits, '0'),
    bitsBetween(plain, { from: headBits, to: at.numbers.from }),
    numbersText(numbers, sps),
    bitsBetween(plain, { from: at.numbers.to, to: at.marking.from }),
    markingText(numbers),
    bitsBetween(plain, { from: at.marking.to, to: at.data }),
  ].join('')
  if (!isCabac) return withEscapes(replaceBits(plain, { from: 0, to: at.data }, head))
  // slice_data begins with cabac_alignment_one_bit up to a whole byte: 7.3.4.
  const padded = head.padEnd(Math.ceil(head.length / 8) * 8, '1')
  const data = plain.subarray(Math.ceil(at.data / 8))
  return withEscapes(Buffer.concat([bytesOfBits(padded), data]))
}

/** A PPS that belongs to another SPS. */
export function moveAvcSet(unit: Buffer, { id }: AvcSets['sps']): Buffer {
  const set = readPps(unit)
  if (!set) throw new CutFault('the parameter sets of its seams are damaged')
  return withEscapes(replaceBits(withoutEscapes(unit), set.spsIdAt, ueCode(id)))
}

import {
  readSlice,
  bitsBetween,
  markingText,
  numbersText,
  type PictureNumbers,
} from './avc-slice.ts'
import { readPictureSet, type AvcSets } from './avc-sets.ts'
import {
  bytesOfBits,
  codeOf,
  replaceBits,
  withEscapes,
  withoutEscapes,
  withoutTrailingZeros,
} from '../bits/coded-bits.ts'
import { CutFault } from '../cut-fault.ts'

const headBits = 8

/** A slice with other numbers, written for another sequence than that it was encoded for. */
export function renumberAvc(
  unit: Buffer,
  sets: AvcSets,
  numbers: PictureNumbers,
  sequence: AvcSets['sequence'],
): Buffer {
  const plain = withoutTrailingZeros(withoutEscapes(unit))
  const slice = readSlice(plain, sets)
  if (!slice) throw new CutFault('its seams cannot be numbered')
  const { at, isArithmetic } = slice
  const kind = numbers.instant === undefined ? 1 : 5
  const head = [
    ((numbers.importance << 5) | kind).toString(2).padStart(headBits, '0'),
    bitsBetween(plain, { from: headBits, to: at.numbers.from }),
    numbersText(numbers, sequence),
    bitsBetween(plain, { from: at.numbers.to, to: at.marking.from }),
    markingText(numbers),
    bitsBetween(plain, { from: at.marking.to, to: at.data }),
  ].join('')
  if (!isArithmetic) return withEscapes(replaceBits(plain, { from: 0, to: at.data }, head))
  // Arithmetic codes begin with a whole byte.
  const padded = head.padEnd(Math.ceil(head.length / 8) * 8, '1')
  const data = plain.subarray(Math.ceil(at.data / 8))
  return withEscapes(Buffer.concat([bytesOfBits(padded), data]))
}

/** A picture parameter set that belongs to another sequence. */
export function moveAvcSet(unit: Buffer, { id }: AvcSets['sequence']): Buffer {
  const set = readPictureSet(unit)
  if (!set) throw new CutFault('the parameter sets of its seams are damaged')
  return withEscapes(replaceBits(withoutEscapes(unit), set.sequenceAt, codeOf(id)))
}

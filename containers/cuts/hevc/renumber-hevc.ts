import { bitsOf, bytesOfBits, withEscapes, withoutEscapes } from '../bits/coded-bits.ts'
import { CutFault } from '../cut-fault.ts'
import { numberIn } from '../bits/golomb.ts'
import { hevcUnitType } from '../bits/nal-unit-type.ts'

/**
 * The number that the parameter sets of seams get. x265 gives them the number 0, as most cameras do. As the code of 15
 * has eight bits more than that of 0, all later bits stay at their places in their bytes, and need not be understood.
 */
export const seamNumber = 15
const codeOfZero = '1'
const codeOfNumber = '000010000'

const kinds = {
  slicesEnd: 32,
  entriesFrom: 16,
  entriesTo: 23,
  video: 32,
  sequence: 33,
  picture: 34,
}

export function kindOf(unit: Buffer): number {
  return hevcUnitType(unit[0] ?? 0)
}

/** A unit that x265 made, with the number of the seams wherever it has or names that of a parameter set. */
export function renumberHevc(unit: Buffer): Buffer {
  const kind = kindOf(unit)
  if (kind === kinds.video) return withFirstNumber(unit)
  if (kind === kinds.sequence) return withFirstNumber(replaceCodes(unit, sequenceNumberAt, 1))
  if (kind === kinds.picture) return replaceCodes(unit, unitHeadBits, 2)
  if (kind >= kinds.slicesEnd) return unit
  // A slice of a picture at which decoding can begin has another bit before the number.
  const isEntry = kind >= kinds.entriesFrom && kind <= kinds.entriesTo
  return replaceCodes(unit, unitHeadBits + (isEntry ? 2 : 1), 1)
}

const unitHeadBits = 16
/** Behind a byte with the number of the video parameter set, and twelve bytes about profile and level. */
const sequenceNumberAt = unitHeadBits + 8 + 96

/** Sets the four bits behind the head of a unit. */
function withFirstNumber(unit: Buffer): Buffer {
  const numbered = withoutEscapes(unit)
  numbered[2] = ((numbered[2] ?? 0) & 15) | (seamNumber << 4)
  return withEscapes(numbered)
}

function replaceCodes(unit: Buffer, at: number, count: number): Buffer {
  const plain = withoutEscapes(unit)
  const first = Math.floor(at / 8)
  const bits = bitsOf(plain.subarray(first, first + 1))
  const [before, rest] = [bits.slice(0, at % 8), bits.slice(at % 8)]
  if (!rest.startsWith(codeOfZero.repeat(count))) {
    throw new CutFault('its seams were encoded with other parameter sets')
  }
  const changed = bytesOfBits(before + codeOfNumber.repeat(count) + rest.slice(count))
  return withEscapes(Buffer.concat([plain.subarray(0, first), changed, plain.subarray(first + 1)]))
}

/** The number of a parameter set; undefined for other units. */
export function numberOfSet(unit: Buffer): number | undefined {
  const plain = withoutEscapes(unit)
  const [kind, third = 0] = [kindOf(plain), plain[2]]
  if (kind === kinds.video) return third >> 4
  if (kind === kinds.picture) return numberIn(plain.subarray(2))
  if (kind !== kinds.sequence) return undefined
  return numberIn(plain.subarray(sequenceNumberAt / 8 + layerBytes((third >> 1) & 7, plain)))
}

/** Behind the level, a sequence may say the profile and level of each of its temporal layers but one. */
function layerBytes(layers: number, plain: Buffer): number {
  if (layers === 0) return 0
  const flags = bitsOf(plain.subarray(sequenceNumberAt / 8, sequenceNumberAt / 8 + 2))
  const told = Array.from({ length: layers }, (_, i) => {
    const [profile, level] = flags.slice(2 * i, 2 * i + 2)
    return (profile === '1' ? 11 : 0) + (level === '1' ? 1 : 0)
  })
  return told.reduce((sum, bytes) => sum + bytes, 2)
}

/** Ends a sequence: a decoder begins with what follows as if it were the beginning of the stream. */
export const endOfSequence = Buffer.from([36 << 1, 1])

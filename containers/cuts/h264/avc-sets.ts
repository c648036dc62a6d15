import { parseAvcConfig } from './avc-config.ts'
import { BitReader } from '../bits/bit-reader.ts'
import { withoutEscapes } from '../bits/coded-bits.ts'

/** What the head of a slice needs of a sequence parameter set of H.264. */
export type SequenceSet = {
  readonly id: number
  readonly hasColours: boolean
  readonly frameNumberBits: number
  /** Undefined if pictures are shown in the order in which they are stored. */
  readonly orderBits: number | undefined
  readonly references: number
  /** The size of its pictures without what is cropped. Nothing is cropped at the left or the top. */
  readonly width: number
  readonly height: number
}

/** What the head of a slice needs of a picture parameter set. */
export type PictureSet = {
  readonly id: number
  readonly isArithmetic: boolean
  readonly hasSecondOrder: boolean
  /** How many references slices have if they do not say. */
  readonly references: readonly [number, number]
  readonly weighsPredicted: boolean
  readonly weighsBoth: boolean
  readonly tellsDeblocking: boolean
  /** Where in the set, without escapes, the number of its sequence is. */
  readonly sequenceAt: { readonly from: number; readonly to: number }
}

/** The only sequence of a film, and the sets of its pictures. */
export type AvcSets = {
  readonly sequence: SequenceSet
  readonly pictures: ReadonlyMap<number, PictureSet>
}

/**
 * Reads the parameter sets of an `avcC` record. Undefined if there are several sequences, or if slices could not be
 * written for them: with fields, matrices, slice groups, or another way to count the order of showing.
 */
export function readAvcSets(record: Buffer): AvcSets | undefined {
  const config = parseAvcConfig(record)
  const [first, ...others] = config?.sequenceSets ?? []
  if (!config || !first || others.length > 0) return undefined
  try {
    const sequence = readSequenceSet(first)
    const sets = config.pictureSets.map(readPictureSet)
    const pictures = new Map(
      sets.flatMap((set) => (set?.sequence === sequence?.id && set ? [[set.id, set]] : [])),
    )
    return sequence && pictures.size === sets.length ? { sequence, pictures } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Those whose sequences tell colours, bits and matrices. */
const highProfiles = [100, 110, 122]
const headBytes = 1
const largestId = 31

function readSequenceSet(unit: Buffer): SequenceSet | undefined {
  const reader = new BitReader(withoutEscapes(unit).subarray(headBytes))
  const profile = reader.bits(8)
  reader.bits(16)
  const id = reader.number()
  const colours = highProfiles.includes(profile) ? readColours(reader) : 1
  const frameNumberBits = reader.number() + 4
  const orderKind = reader.number()
  const orderBits = orderKind === 0 ? reader.number() + 4 : undefined
  const references = reader.number()
  reader.flag()
  const [across, down] = [reader.number() + 1, reader.number() + 1]
  const hasWholePictures = reader.flag()
  reader.flag()
  const crop = reader.flag() ? [1, 2, 3, 4].map(() => reader.number()) : [0, 0, 0, 0]
  const isOurs = colours !== undefined && profile <= 122 && profile !== 88 && id <= largestId
  const isCounted = orderKind !== 1 && Math.max(frameNumberBits, orderBits ?? 0) <= 16
  if (!isOurs || !isCounted || !hasWholePictures || references > 16) return undefined
  const [left = 0, right = 0, top = 0, bottom = 0] = crop
  if (left > 0 || top > 0) return undefined
  const unitAcross = colours === 0 ? 1 : 2
  const width = across * 16 - right * unitAcross
  const height = down * 16 - bottom * (colours === 1 ? 2 : 1)
  // An encoder makes as few blocks as it can.
  if (width <= across * 16 - 16 || height <= down * 16 - 16) return undefined
  const hasColours = colours > 0
  return { id, hasColours, frameNumberBits, orderBits, references, width, height }
}

/** The format of the colours; undefined if slices of ours would not fit. */
function readColours(reader: BitReader): number | undefined {
  const colours = reader.number()
  // Colours as large as the picture have a flag more, but then nothing fits anyway.
  reader.number()
  reader.number()
  const [bypasses, hasMatrices] = [reader.flag(), reader.flag()]
  return colours > 2 || bypasses || hasMatrices ? undefined : colours
}

export function readPictureSet(unit: Buffer): (PictureSet & { sequence: number }) | undefined {
  const reader = new BitReader(withoutEscapes(unit))
  reader.bits(8 * headBytes)
  const id = reader.number()
  const from = reader.at
  const sequence = reader.number()
  const to = reader.at
  const [isArithmetic, hasSecondOrder] = [reader.flag(), reader.flag()]
  const hasGroups = reader.number() > 0
  if (hasGroups) return undefined
  const references = [reader.number() + 1, reader.number() + 1] as const
  const [weighsPredicted, weighsBoth] = [reader.flag(), reader.bits(2) === 1]
  for (let i = 0; i < 3; i++) reader.signed()
  const tellsDeblocking = reader.flag()
  reader.flag()
  const hasRedundant = reader.flag()
  if (hasRedundant) return undefined
  return {
    ...{ id, sequence, isArithmetic, hasSecondOrder, references, weighsPredicted, weighsBoth },
    ...{ tellsDeblocking, sequenceAt: { from, to } },
  }
}

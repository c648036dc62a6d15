import type { AvcSets, PictureSet } from './avc-sets.ts'
import { BitReader } from '../bits/bit-reader.ts'
import { bitsOf, codeOf } from '../bits/coded-bits.ts'

/** What becomes of the references once a picture was decoded: commands with their values. Empty: the oldest one leaves. */
export type Marking = readonly (readonly number[])[]

/** The head of a slice of H.264. */
export type AvcSlice = {
  readonly isInstant: boolean
  /** Zero if no other picture refers to this one. */
  readonly importance: number
  readonly kind: 'predicted' | 'both' | 'whole' | 'switching'
  readonly frameNumber: number
  /** The lower bits of its place in the order of showing. */
  readonly order: number
  readonly marking: Marking
  /** Whether it is kept as a reference for as long as it takes. */
  readonly isLongTerm: boolean
  readonly isArithmetic: boolean
  /** Where its parts are, in bits from the beginning of the unit. */
  readonly at: {
    readonly numbers: Span
    readonly marking: Span
    readonly data: number
  }
}

type Span = { readonly from: number; readonly to: number }

/** Units that are slices of whole pictures. */
export const sliceKinds = { other: 1, instant: 5 } as const

const kinds = ['predicted', 'both', 'whole', 'switching', 'switching'] as const

/** Reads the head of a slice without escapes. Undefined if it is of another kind, or of unknown parameter sets. */
export function readSlice(plain: Buffer, { sequence, pictures }: AvcSets): AvcSlice | undefined {
  const reader = new BitReader(plain)
  reader.flag()
  const importance = reader.bits(2)
  const unit = reader.bits(5)
  const isInstant = unit === sliceKinds.instant
  if (!isInstant && unit !== sliceKinds.other) return undefined
  reader.number()
  const kind = kinds[reader.number() % 5] ?? 'switching'
  const set = pictures.get(reader.number())
  if (!set || kind === 'switching') return undefined
  const from = reader.at
  const frameNumber = reader.bits(sequence.frameNumberBits)
  if (isInstant) reader.number()
  const order = reader.bits(sequence.orderBits ?? 0)
  if (sequence.orderBits !== undefined && set.hasSecondOrder) reader.signed()
  const numbers = { from, to: reader.at }
  skipLists(reader, { kind, set, hasColours: sequence.hasColours })
  const markingFrom = reader.at
  const { commands, isLongTerm } = readMarking(reader, { isInstant, importance })
  const marking = { from: markingFrom, to: reader.at }
  skipRest(reader, { kind, set })
  return {
    ...{ isInstant, importance, kind, frameNumber, order, marking: commands, isLongTerm },
    isArithmetic: set.isArithmetic,
    at: { numbers, marking, data: reader.at },
  }
}

type Lists = { kind: AvcSlice['kind']; set: PictureSet; hasColours: boolean }

function skipLists(reader: BitReader, { kind, set, hasColours }: Lists): void {
  if (kind === 'both') reader.flag()
  const lists = kind === 'whole' ? 0 : kind === 'both' ? 2 : 1
  if (lists === 0) return
  const own = reader.flag()
  const counts = set.references.slice(0, lists).map((count) => (own ? reader.number() + 1 : count))
  for (let list = 0; list < lists; list++) {
    if (!reader.flag()) continue
    while (reader.number() !== 3) reader.number()
  }
  if (kind === 'both' ? set.weighsBoth : set.weighsPredicted) {
    skipWeights(reader, counts, hasColours)
  }
}

function skipWeights(reader: BitReader, counts: readonly number[], hasColours: boolean): void {
  reader.number()
  if (hasColours) reader.number()
  for (const count of counts) {
    for (let i = 0; i < count; i++) {
      for (const pairs of hasColours ? [1, 2] : [1]) {
        if (!reader.flag()) continue
        for (let value = 0; value < 2 * pairs; value++) reader.signed()
      }
    }
  }
}

/** How many values each command has. */
const valueCounts = [0, 1, 1, 2, 1, 0, 1]

function readMarking(
  reader: BitReader,
  { isInstant, importance }: Pick<AvcSlice, 'isInstant' | 'importance'>,
): { commands: number[][]; isLongTerm: boolean } {
  const commands: number[][] = []
  if (importance === 0) return { commands, isLongTerm: false }
  if (isInstant) {
    reader.flag()
    return { commands, isLongTerm: reader.flag() }
  }
  if (!reader.flag()) return { commands, isLongTerm: false }
  for (;;) {
    const command = reader.number()
    const count = valueCounts[command]
    if (count === undefined) throw new RangeError('An unknown command')
    if (command === 0) return { commands, isLongTerm: false }
    commands.push([command, ...Array.from({ length: count }, () => reader.number())])
  }
}

function skipRest(reader: BitReader, { kind, set }: Pick<Lists, 'kind' | 'set'>): void {
  if (set.isArithmetic && kind !== 'whole') reader.number()
  reader.signed()
  if (!set.tellsDeblocking || reader.number() === 1) return
  reader.signed()
  reader.signed()
}

/** The numbers by which a decoder tells pictures apart. */
export type PictureNumbers = {
  /** Undefined if a decoder does not begin again with the picture; else a number that its neighbours lack. */
  readonly instant: number | undefined
  readonly importance: number
  readonly frameNumber: number
  readonly order: number
  readonly marking: Marking
}

export function numbersText(
  { instant, frameNumber, order }: PictureNumbers,
  { frameNumberBits, orderBits }: AvcSets['sequence'],
): string {
  return [
    lowerBits(frameNumber, frameNumberBits),
    instant === undefined ? '' : codeOf(instant),
    orderBits === undefined ? '' : lowerBits(order, orderBits),
  ].join('')
}

export function markingText({ instant, importance, marking }: PictureNumbers): string {
  if (importance === 0) return ''
  // Earlier pictures are shown all the same, and this one leaves when it is the oldest.
  if (instant !== undefined) return '00'
  if (marking.length === 0) return '0'
  return `1${[...marking, [0]].flat().map(codeOf).join('')}`
}

function lowerBits(value: number, count: number): string {
  return (value % 2 ** count).toString(2).padStart(count, '0')
}

export function bitsBetween(plain: Buffer, { from, to }: Span): string {
  const first = Math.floor(from / 8)
  const bits = bitsOf(plain.subarray(first, Math.ceil(to / 8)))
  return bits.slice(from - first * 8, to - first * 8)
}

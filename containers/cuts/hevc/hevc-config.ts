import { unlessCutOff } from '../bits/bit-reader.ts'
import { uint16, UnitLists, withLengths } from '../bits/unit-lists.ts'

/** An `hvcC` record, its head and its lists of units: ISO 14496-15, HEVCDecoderConfigurationRecord. */
export type HevcConfig = {
  readonly head: Buffer
  readonly lists: readonly HevcList[]
}

/** `header`: array_completeness, a reserved bit, and NAL_unit_type of all units in the list. */
type HevcList = { readonly header: number; readonly units: readonly Buffer[] }

const headBytes = 22
/** general_level_idc */
const levelAt = 12

/** Undefined if the record is damaged or of another version. */
export function parseHevcConfig(bytes: Buffer): HevcConfig | undefined {
  return unlessCutOff(() => {
    if (bytes[0] !== 1) return undefined
    const lists = new UnitLists(bytes, headBytes)
    const readList = (): HevcList => ({
      header: lists.uint8(),
      units: lists.units(lists.uint16()),
    })
    return {
      head: bytes.subarray(0, headBytes),
      lists: Array.from({ length: lists.uint8() }, readList),
    }
  })
}

export function unitsOf({ lists }: HevcConfig): readonly Buffer[] {
  return lists.flatMap(({ units }) => units)
}

/** The record of the source with further units, and with a level that is enough for both. */
export function mergeHevcConfigs(source: HevcConfig, seams: HevcConfig): Buffer {
  const head = Buffer.from(source.head)
  head[levelAt] = Math.max(source.head[levelAt] ?? 0, seams.head[levelAt] ?? 0)
  const lists = source.lists.map(({ header, units }) => ({
    header,
    units: [
      ...units,
      ...seams.lists
        .filter((list) => isSameType(list.header, header))
        .flatMap((list) => list.units),
    ],
  }))
  const added = seams.lists.filter(
    (list) => !lists.some(({ header }) => isSameType(list.header, header)),
  )
  const all = [...lists, ...added]
  return Buffer.concat([head, Buffer.from([all.length]), ...all.flatMap(bytesOf)])
}

function isSameType(a: number, b: number): boolean {
  return (a & 63) === (b & 63)
}

function bytesOf({ header, units }: HevcList): Buffer[] {
  return [Buffer.from([header]), uint16(units.length), ...withLengths(units)]
}

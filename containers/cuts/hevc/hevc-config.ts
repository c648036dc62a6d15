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
  let at = headBytes + 1
  const readUnit = (): Buffer => {
    const length = bytes.readUInt16BE(at)
    at += 2 + length
    if (at > bytes.length) throw new RangeError('A parameter set reaches beyond its record')
    return bytes.subarray(at - length, at)
  }
  const readList = (): HevcList => {
    const header = bytes.readUInt8(at)
    const count = bytes.readUInt16BE(at + 1)
    at += 3
    return { header, units: Array.from({ length: count }, readUnit) }
  }
  try {
    if (bytes[0] !== 1) return undefined
    const lists = Array.from({ length: bytes.readUInt8(headBytes) }, readList)
    return { head: bytes.subarray(0, headBytes), lists }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
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
  return [
    Buffer.from([header]),
    uint16(units.length),
    ...units.flatMap((unit) => [uint16(unit.length), unit]),
  ]
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

import { unlessCutOff } from '../bits/bit-reader.ts'
import { UnitLists, withLengths } from '../bits/unit-lists.ts'

/** An `avcC` record: ISO 14496-15, AVCDecoderConfigurationRecord. */
export type AvcConfig = {
  /** Version, profile, level, and lengthSizeMinusOne. */
  readonly head: Buffer
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
  /** Fields that only high profiles have: chroma_format, bit depths, SPS extensions. */
  readonly tail: Buffer
}

/** Undefined if the record is damaged or of another version. */
export function parseAvcConfig(bytes: Buffer): AvcConfig | undefined {
  return unlessCutOff(() => {
    if (bytes[0] !== 1) return undefined
    const lists = new UnitLists(bytes, 5)
    const sps = lists.units(lists.uint8() & 31)
    const pps = lists.units(lists.uint8())
    if (sps.length === 0 || pps.length === 0) return undefined
    return { head: bytes.subarray(0, 5), sps, pps, tail: lists.rest() }
  })
}

/** Joins the sets of both records; head and tail are those of the first. */
export function mergeAvcConfigs(a: AvcConfig, b: AvcConfig): Buffer {
  const sps = [...a.sps, ...b.sps]
  const pps = [...a.pps, ...b.pps]
  return Buffer.concat([
    a.head,
    Buffer.from([0xe0 | sps.length]),
    ...withLengths(sps),
    Buffer.from([pps.length]),
    ...withLengths(pps),
    a.tail,
  ])
}

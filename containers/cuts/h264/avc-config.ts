/** An `avcC` record: ISO 14496-15, AVCDecoderConfigurationRecord. */
export type AvcConfig = {
  /** Version, profile, level, and lengthSizeMinusOne. */
  readonly head: Buffer
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
  /** What high profiles add: chroma_format, bit depths, SPS extensions. */
  readonly tail: Buffer
}

/** Undefined if the record is damaged or of another version. */
export function parseAvcConfig(bytes: Buffer): AvcConfig | undefined {
  let at = 5
  const readSets = (count: number): Buffer[] =>
    Array.from({ length: count }, () => {
      const length = bytes.readUInt16BE(at)
      at += 2 + length
      if (at > bytes.length) throw new RangeError('A parameter set reaches beyond its record')
      return bytes.subarray(at - length, at)
    })
  try {
    if (bytes[0] !== 1) return undefined
    const sps = readSets(bytes.readUInt8(at++) & 31)
    const pps = readSets(bytes.readUInt8(at++))
    if (sps.length === 0 || pps.length === 0) return undefined
    return { head: bytes.subarray(0, 5), sps, pps, tail: bytes.subarray(at) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Puts the sets of both records into one; its head and tail are those of the first. */
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

function withLengths(sets: readonly Buffer[]): Buffer[] {
  return sets.flatMap((set) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(set.length)
    return [length, set]
  })
}

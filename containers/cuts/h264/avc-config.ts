/** An `avcC` record: a head of five bytes, parameter sets of both kinds, and what high profiles add. */
export type AvcConfig = {
  readonly head: Buffer
  readonly sequenceSets: readonly Buffer[]
  readonly pictureSets: readonly Buffer[]
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
    const sequenceSets = readSets(bytes.readUInt8(at++) & 31)
    const pictureSets = readSets(bytes.readUInt8(at++))
    if (sequenceSets.length === 0 || pictureSets.length === 0) return undefined
    return { head: bytes.subarray(0, 5), sequenceSets, pictureSets, tail: bytes.subarray(at) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Puts the sets of both records into one; its head and tail are those of the first. */
export function mergeAvcConfigs(a: AvcConfig, b: AvcConfig): Buffer {
  const sequenceSets = [...a.sequenceSets, ...b.sequenceSets]
  const pictureSets = [...a.pictureSets, ...b.pictureSets]
  return Buffer.concat([
    a.head,
    Buffer.from([0xe0 | sequenceSets.length]),
    ...withLengths(sequenceSets),
    Buffer.from([pictureSets.length]),
    ...withLengths(pictureSets),
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

/** nal_unit_type of a NAL unit by its first byte, in H.264: 7.3.1. */
export function avcUnitType(first: number): number {
  return first & 31
}

/** nal_unit_type in HEVC: H.265, 7.3.1.2. */
export function hevcUnitType(first: number): number {
  return (first >> 1) & 63
}

/** Bytes of the length before each NAL unit: lengthSizeMinusOne is 3 in all files that are cut. */
export const lengthBytes = 4

/**
 * The NAL units of packets that lie side by side, each with its length before it: ISO 14496-15, 5.3.3. The last one is
 * undefined if the packets do not end with a whole unit.
 */
export function* nalUnits(packets: Buffer): Generator<Buffer | undefined, void> {
  for (let at = 0; at < packets.length;) {
    const begin = at + lengthBytes
    at = begin + (begin <= packets.length ? packets.readUInt32BE(at) : Infinity)
    yield at <= packets.length ? packets.subarray(begin, at) : undefined
  }
}

/** A packet of these NAL units. */
export function packetOf(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )
}

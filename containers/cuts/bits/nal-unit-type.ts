/** nal_unit_type of a NAL unit by its first byte, in H.264: 7.3.1. */
export function avcUnitType(first: number): number {
  return first & 31
}

/** The same in HEVC: H.265, 7.3.1.2. */
export function hevcUnitType(first: number): number {
  return (first >> 1) & 63
}

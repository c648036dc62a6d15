/** Reads the Exp-Golomb number with which the bytes begin. */
export function numberIn(bytes: Buffer): number {
  const bits = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(2).padStart(8, '0')).join(
    '',
  )
  const zeros = bits.indexOf('1')
  if (zeros < 0) return 0
  return Number.parseInt(bits.slice(zeros, 2 * zeros + 1), 2) - 1
}

/** The format of every sound between decoding and encoding; all steps count in its samples. */
export const workedRate = 48_000
export const channels = 2
export const workedFormat = { sampleRate: workedRate, channels } as const
export const bytesPerFrame = channels * Float32Array.BYTES_PER_ELEMENT

export type SampleSpan = { readonly from: number; readonly to: number }

export function sampleCount(seconds: number): number {
  return Math.round(seconds * workedRate)
}

/** Of every sound that is worked on: what its steps count in, and what comes out of them. */
export const sampleRate = 48_000
export const channels = 2
export const workedFormat = { sampleRate, channels } as const
export const bytesPerFrame = channels * Float32Array.BYTES_PER_ELEMENT

export type SampleSpan = { readonly from: number; readonly to: number }

/** Of the prepared sound: what every other step of it counts in. */
export const sampleRate = 48_000
export const channels = 2
export const bytesPerFrame = channels * Float32Array.BYTES_PER_ELEMENT

export type SampleSpan = { readonly from: number; readonly to: number }

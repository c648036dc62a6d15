import { open } from 'node:fs/promises'
import type { SampleSpan } from './dsp/pcm.ts'

const bytesPerSample = Float32Array.BYTES_PER_ELEMENT

/** Opens a file of the speech sound for as long as it is used. Where it has no samples, they read as silence. */
export async function withSpeechSamples<Result>(
  file: string,
  use: (read: (span: SampleSpan) => Promise<Float32Array>) => Promise<Result>,
): Promise<Result> {
  await using handle = await open(file, 'r')
  return await use(async ({ from, to }) => {
    const samples = new Float32Array(to - from)
    const missing = Math.max(0, -from)
    const bytes = new Uint8Array(samples.buffer, missing * bytesPerSample)
    await handle.read(bytes, 0, bytes.length, (from + missing) * bytesPerSample)
    return samples
  })
}

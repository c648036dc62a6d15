import { open } from 'node:fs/promises'
import { blockSamples } from './block-meter.ts'
import type { DuckedStretch } from './duck-stretches.ts'
import { bytesPerFrame, channels, workedRate } from '../dsp/pcm.ts'
import { readFrames, writeFrames } from '../cut-sound.ts'

/** How long the sound takes to go down and to come back. */
const fall = 0.25 * workedRate
const rise = 0.25 * workedRate

const chunkFrames = 16_384

/** Lowers the stretches in a file of samples, in place. */
export async function lowerSound(
  file: string,
  stretches: readonly DuckedStretch[],
  signal: AbortSignal,
): Promise<void> {
  await using handle = await open(file, 'r+')
  const frames = Math.floor((await handle.stat()).size / bytesPerFrame)
  for (const stretch of stretches.map(inSamples)) {
    const end = Math.min(frames, stretch.to + rise)
    for (let at = Math.max(0, stretch.from - fall); at < end; at += chunkFrames) {
      signal.throwIfAborted()
      const samples = await readFrames(handle, at, Math.min(chunkFrames, end - at))
      lower(samples, at, stretch)
      await writeFrames(handle, at, samples)
    }
  }
}

function inSamples({ from, to, byDb }: DuckedStretch): DuckedStretch {
  return { from: from * blockSamples, to: to * blockSamples, byDb }
}

function lower(samples: Float32Array, at: number, stretch: DuckedStretch): void {
  for (let i = 0; i < samples.length; i += channels) {
    const gain = gainAt(at + i / channels, stretch)
    for (let channel = i; channel < i + channels; channel++) {
      samples[channel] = (samples[channel] ?? 0) * gain
    }
  }
}

/** The gain at a sample; it bends gently at both ends, in decibels, so that its beginning is inaudible. */
export function gainAt(sample: number, { from, to, byDb }: DuckedStretch): number {
  const outside = sample < from ? (from - sample) / fall : (sample - to) / rise
  const share = 0.5 + 0.5 * Math.cos(Math.PI * Math.min(1, Math.max(0, outside)))
  return 10 ** ((-byDb * share) / 20)
}

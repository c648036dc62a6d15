import { open, type FileHandle } from 'node:fs/promises'
import { bytesPerFrame, channels, sampleRate, type SampleSpan } from './pcm.ts'
import { samplesOf } from './read-pcm.ts'

/** 4 ms on each side of a joint: too short to be heard, long enough not to click. */
export const fadeSamples = Math.round(sampleRate * 0.004)

const chunkFrames = 16_384

/**
 * Leaves only the kept spans in a file of samples, in place: what is written never overtakes what is read, so an hour
 * of sound is on the disk once. What lies beyond the end of the file is silence.
 */
export async function cutSound(
  file: string,
  kept: readonly SampleSpan[],
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    let written = 0
    for (const span of kept) {
      written = await moveSpan(handle, { span, written, available: size / bytesPerFrame }, signal)
    }
    await handle.truncate(written * bytesPerFrame)
  } finally {
    await handle.close()
  }
}

type Move = { span: SampleSpan; written: number; available: number }

async function moveSpan(
  handle: FileHandle,
  { span, written, available }: Move,
  signal: AbortSignal,
): Promise<number> {
  const bytes = Buffer.from(new ArrayBuffer(chunkFrames * bytesPerFrame))
  // Nothing was cut before the beginning or after the end.
  const fades = { in: span.from > 0, out: span.to < available }
  let target = written
  for (let at = span.from; at < span.to; at += chunkFrames) {
    signal.throwIfAborted()
    const length = Math.min(chunkFrames, span.to - at) * bytesPerFrame
    const { bytesRead } = await handle.read(bytes, 0, length, at * bytesPerFrame)
    bytes.fill(0, bytesRead)
    fadeEnds(samplesOf(bytes, length), at, span, fades)
    await handle.write(bytes, 0, length, target * bytesPerFrame)
    target += length / bytesPerFrame
  }
  return target
}

type Fades = { in: boolean; out: boolean }

/** Straight ramps, over at most half of a very short span. */
function fadeEnds(samples: Float32Array, at: number, span: SampleSpan, fades: Fades): void {
  const ramp = Math.min(fadeSamples, Math.floor((span.to - span.from) / 2))
  const fade = (position: number, gain: number): void => {
    const i = (position - at) * channels
    if (i < 0 || i >= samples.length) return
    for (let channel = 0; channel < channels; channel++) {
      samples[i + channel] = (samples[i + channel] ?? 0) * gain
    }
  }
  for (let i = 0; i < ramp; i++) {
    if (fades.in) fade(span.from + i, i / ramp)
    if (fades.out) fade(span.to - 1 - i, i / ramp)
  }
}

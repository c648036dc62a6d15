import { open, type FileHandle } from 'node:fs/promises'
import type { TimeSpan } from '../../worker/contract/layout/kept-time.ts'
import { readFrames, writeFrames } from './cut-sound.ts'
import { bytesPerFrame, channels, workedRate, sampleCount } from './dsp/pcm.ts'

type CoverWith = 'tone' | 'silence'

const hertz = 1000
/** As loud as what it covers, within these levels of its root mean square: neither startling nor too soft to be noticed. */
const levels = { least: 0.03, most: 0.12 } as const
/** Both ends fade for this long: too short to hear the word, and long enough not to click. */
const rampFrames = workedRate * 0.005
const chunkFrames = 48_000

/** Replaces stretches of a file of samples, so that nothing of what was said there is left in it. */
export async function coverSound(
  file: string,
  spans: readonly TimeSpan[],
  { coverWith, signal }: { readonly coverWith: CoverWith; readonly signal: AbortSignal },
): Promise<void> {
  await using handle = await open(file, 'r+')
  const frames = Math.floor((await handle.stat()).size / bytesPerFrame)
  const frameOf = (seconds: number): number => Math.min(frames, Math.max(0, sampleCount(seconds)))
  for (const span of spans) {
    signal.throwIfAborted()
    await coverOne(handle, { from: frameOf(span.from), to: frameOf(span.to) }, coverWith)
  }
}

async function coverOne(
  handle: FileHandle,
  { from, to }: TimeSpan,
  coverWith: CoverWith,
): Promise<void> {
  const amplitude = coverWith === 'tone' ? await amplitudeFor(handle, { from, to }) : 0
  for (let at = from; at < to; at += chunkFrames) {
    const samples = await readFrames(handle, at, Math.min(chunkFrames, to - at))
    for (let i = 0; i < samples.length; i++) {
      const frame = at + Math.floor(i / channels)
      const share = Math.min(1, (frame - from) / rampFrames, (to - 1 - frame) / rampFrames)
      const tone = amplitude * Math.sin((2 * Math.PI * hertz * (frame - from)) / workedRate)
      samples[i] = (samples[i] ?? 0) * (1 - share) + tone * share
    }
    await writeFrames(handle, at, samples)
  }
}

/** The peak of a sine is √2 times its root mean square. */
async function amplitudeFor(handle: FileHandle, { from, to }: TimeSpan): Promise<number> {
  let sum = 0
  for (let at = from; at < to; at += chunkFrames) {
    const samples = await readFrames(handle, at, Math.min(chunkFrames, to - at))
    for (const sample of samples) sum += sample ** 2
  }
  const level = Math.sqrt(sum / Math.max(1, (to - from) * channels))
  return Math.SQRT2 * Math.min(levels.most, Math.max(levels.least, level))
}

import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { speechRate, type SpeechSound } from '../sound/speech-sound.ts'
import type { HeardSpan } from './carry/choose-heard.ts'

const heardPath = 'heard-speech.f32'
const bytesPerSample = Float32Array.BYTES_PER_ELEMENT
const chunkSamples = 65_536

/** Writes a file with these parts of the raw sound, each at its place with silence in between, and returns its name. */
export async function keepHeard(
  folder: string,
  { path: source, samples }: SpeechSound,
  heard: readonly HeardSpan[],
  signal: AbortSignal,
): Promise<string> {
  const [first] = heard
  if (heard.length === 1 && first && first.from === 0 && toSample(first.to) >= samples)
    return source
  const from = await open(path.join(folder, source), 'r')
  const to = await open(path.join(folder, heardPath), 'w', 0o640)
  try {
    for (const span of heard) await copySpan({ from, to }, span, signal)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
  return heardPath
}

const toSample = (seconds: number): number => Math.round(seconds * speechRate)

/** Parts of the new file that were skipped read as zeros. */
async function copySpan(
  { from, to }: { from: FileHandle; to: FileHandle },
  span: HeardSpan,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.alloc(chunkSamples * bytesPerSample)
  const moved = toSample(span.at) - toSample(span.from)
  const end = toSample(span.to)
  for (let at = toSample(span.from); at < end;) {
    signal.throwIfAborted()
    const length = Math.min(chunkSamples, end - at) * bytesPerSample
    const { bytesRead } = await from.read(bytes, 0, length, at * bytesPerSample)
    if (bytesRead === 0) return
    await to.write(bytes, 0, bytesRead, (at + moved) * bytesPerSample)
    at += Math.floor(bytesRead / bytesPerSample)
  }
}

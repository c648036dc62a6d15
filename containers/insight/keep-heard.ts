import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { speechSamples, type SpeechSound } from '../sound/speech-sound.ts'
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
  if (heard.length === 1 && first && first.from === 0 && speechSamples(first.to) >= samples)
    return source
  await using from = await open(path.join(folder, source), 'r')
  await using to = await open(path.join(folder, heardPath), 'w', 0o640)
  for (const span of heard) await copySpan({ from, to }, span, signal)
  return heardPath
}

/** Parts of the new file that were skipped read as zeros. */
async function copySpan(
  { from, to }: { from: FileHandle; to: FileHandle },
  span: HeardSpan,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.alloc(chunkSamples * bytesPerSample)
  const moved = speechSamples(span.at) - speechSamples(span.from)
  const end = speechSamples(span.to)
  for (let at = speechSamples(span.from); at < end;) {
    signal.throwIfAborted()
    const length = Math.min(chunkSamples, end - at) * bytesPerSample
    const { bytesRead } = await from.read(bytes, 0, length, at * bytesPerSample)
    if (bytesRead === 0) return
    await to.write(bytes, 0, bytesRead, (at + moved) * bytesPerSample)
    at += Math.floor(bytesRead / bytesPerSample)
  }
}

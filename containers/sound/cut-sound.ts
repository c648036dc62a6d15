import { open, type FileHandle } from 'node:fs/promises'
import { crossfade, fadeEdge, type SoundEdge } from './dsp/crossfade.ts'
import { bytesPerFrame, channels, workedRate, type SampleSpan } from './dsp/pcm.ts'
import { samplesOf } from './dsp/read-pcm.ts'

/** Half of a joint. A joint takes 15 ms: too short to hear two sounds at once, long enough not to click. */
export const halfJoint = Math.round(workedRate * 0.0075)

const chunkFrames = 16_384

/** A kept part, and how many of its first samples are heard together with the last ones of the part before it. */
export type SoundPiece = SampleSpan & { readonly overlap?: number }

/**
 * Keeps only the kept spans in a file of samples. It works in place, because it never writes beyond what it has read,
 * so an hour of sound needs the disk only once. Beyond the end of the file there is silence. At a joint, the first part
 * fades out and the second fades in, each with its own samples played backwards beyond its edge: so the sound of the room
 * continues, and nothing is heard that was cut out. Where two parts overlap, both are heard as they are, and one fades into
 * the other.
 */
export async function cutSound(
  file: string,
  kept: readonly SoundPiece[],
  signal: AbortSignal,
): Promise<void> {
  await using handle = await open(file, 'r+')
  const { size } = await handle.stat()
  const sound = { handle, samples: Math.ceil(size / bytesPerFrame) }
  let written = 0
  let before: SoundJoint | undefined
  for (const [i, span] of kept.entries()) {
    // Read it before this span is moved, because its end may be overwritten then.
    const joint = await readJoint(sound, span, kept.slice(i + 1, i + 3))
    written = await moveSpan(sound, { span, written, before, after: joint }, signal)
    before = joint
  }
  await handle.truncate(written * bytesPerFrame)
}

type SoundOnDisk = { readonly handle: FileHandle; readonly samples: number }

/** The samples around the place where two spans meet, and how many of each span are in them. */
type SoundJoint = { readonly taken: number; readonly samples: Float32Array }

async function readJoint(
  { handle }: SoundOnDisk,
  span: SoundPiece,
  [next, afterNext]: readonly SoundPiece[],
): Promise<SoundJoint | undefined> {
  if (!next) return undefined
  if (next.overlap) {
    const { overlap: taken } = next
    const ending = await readFrames(handle, span.to - taken, taken)
    return { taken, samples: crossfade(ending, await readFrames(handle, next.from, taken)) }
  }
  const half = Math.min(halfJoint, roomIn(span, span.overlap), roomIn(next, afterNext?.overlap))
  const ending = await readFrames(handle, span.to - half, half)
  const beginning = await readFrames(handle, next.from, half)
  const samples = crossfade(
    joined(ending, backwards(ending)),
    joined(backwards(beginning), beginning),
  )
  return { taken: half, samples }
}

/** What a joint may take of a span that has a transition at its other end. */
function roomIn({ from, to }: SampleSpan, overlap = 0): number {
  return Math.floor((to - from - overlap) / 2)
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function backwards(samples: Float32Array): Float32Array {
  const last = samples.length / channels - 1
  return samples.map((_, i) => {
    const frame = Math.floor(i / channels)
    return samples[(last - frame) * channels + (i % channels)] ?? 0
  })
}

type SpanMove = {
  readonly span: SampleSpan
  readonly written: number
  readonly before: SoundJoint | undefined
  readonly after: SoundJoint | undefined
}

/** Writes a span and the joint after it; its beginning is part of the joint before it. */
async function moveSpan(
  { handle, samples }: SoundOnDisk,
  { span, written, before, after }: SpanMove,
  signal: AbortSignal,
): Promise<number> {
  const [from, to] = [span.from + (before?.taken ?? 0), span.to - (after?.taken ?? 0)]
  const ramp = Math.min(halfJoint, Math.floor((to - from) / 2))
  // The beginning and end of the sound itself need no fade.
  const edges: SoundEdge[] = []
  if (!before && span.from > 0) edges.push({ at: from, ramp, kind: 'in' })
  if (!after && span.to < samples) edges.push({ at: to, ramp, kind: 'out' })
  let target = written
  for (let at = from; at < to; at += chunkFrames) {
    signal.throwIfAborted()
    const piece = await readFrames(handle, at, Math.min(chunkFrames, to - at))
    for (const edge of edges) fadeEdge(piece, at, edge)
    target = await writeFrames(handle, target, piece)
  }
  return after ? writeFrames(handle, target, after.samples) : target
}

export async function readFrames(
  handle: FileHandle,
  from: number,
  frames: number,
): Promise<Float32Array> {
  const bytes = Buffer.from(new ArrayBuffer(frames * bytesPerFrame))
  await handle.read(bytes, 0, bytes.length, from * bytesPerFrame)
  return samplesOf(bytes, bytes.length)
}

/** Returns the position for the next frames. */
export async function writeFrames(
  handle: FileHandle,
  at: number,
  samples: Float32Array,
): Promise<number> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  await handle.write(bytes, 0, bytes.length, at * bytesPerFrame)
  return at + bytes.length / bytesPerFrame
}

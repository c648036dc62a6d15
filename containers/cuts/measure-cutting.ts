import path from 'node:path'
import { measurePacking, type Packing } from '../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { frameCount, type FrameSpan } from '../timeline/frame-spans.ts'
import { fpsOf } from '../timeline/frame-rate.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { seamsOf, type Cutting } from './cutting.ts'
import { readEntries, type CutCodec } from './entry-kinds.ts'
import { findPieces } from './find-runs.ts'
import { keptParts, shownPictures } from './kept-pictures.ts'
import { avcSeamCoding, hevcSeamCoding } from './seam-coding.ts'
import { tooMuchWork } from './weigh-work.ts'

export type CutRequest = {
  /** Name inside the job folder. */
  readonly path: string
  readonly facts: MediaFacts
  /** What remains, in pictures of the steady rate of the video. */
  readonly kept: readonly FrameSpan[]
}

export type CutChoice = { readonly cutting: Cutting } | { readonly why: string }

/**
 * Finds out whether a file can be cut as it is stored, and where the seams are. If not, or if encoding all of it is
 * less work, says why.
 */
export async function measureCutting(
  context: ToolContext,
  { path: file, facts, kept }: CutRequest,
): Promise<CutChoice> {
  const unfit = unfitFacts(facts)
  if (unfit !== undefined) return { why: unfit }
  const codec = cutCodecs[facts.video.codec]
  if (codec === undefined) return { why: `seams of ${facts.video.codec} cannot be encoded` }
  const packing = await measurePacking(context, file, facts, sourceLimits.packets)
  const shown = shownPictures(packing)
  const why = unfitPackets(packing, shown.packets)
  if (why !== undefined) return { why }
  const { frameRate } = facts.video
  const parts = keptParts(packing, shown, kept, frameRate)
  const source = { path: file, facts, codec, packing, shown }
  const entries = await readEntries(path.join(context.folder, file), packing, codec)
  try {
    const pieces = await findPieces(source, parts, async (packet) => entries.entryOf(packet))
    const endSeconds = frameCount(kept) / fpsOf(frameRate)
    const cutting = { source, parts, pieces, endSeconds }
    const unfitted = unfitSeams(cutting) ?? tooMuchWork(cutting)
    return unfitted === undefined ? { cutting } : { why: unfitted }
  } finally {
    await entries.close()
  }
}

const cutCodecs: Readonly<Record<string, CutCodec>> = { h264: 'h264', hevc: 'hevc' }

/** What is known before the packets are read. */
function unfitFacts({ format, video }: MediaFacts): string | undefined {
  if (format === 'avi') return 'AVI has no times of its own'
  if (video.hasAlpha) return 'it is transparent'
  if (video.scan.kind !== 'progressive') return `its pictures are ${video.scan.kind}`
  if (video.dolbyVisionProfile !== undefined) return 'it is Dolby Vision'
  return undefined
}

/** Whether pictures can be coded beside those of the source, if any have to be. */
function unfitSeams({ source: { codec, packing }, pieces }: Cutting): string | undefined {
  if (seamsOf(pieces).length === 0) return undefined
  const coding = codec === 'hevc' ? hevcSeamCoding(packing, 1) : avcSeamCoding(packing, 1)
  return 'why' in coding ? coding.why : undefined
}

function unfitPackets(packing: Packing, shown: Uint32Array): string | undefined {
  const { stream, shownAt, isWhole, positions, sizes } = packing
  if (!isWhole) return 'it has too many pictures'
  if (shown.length === 0) return 'it shows no pictures'
  if (!(stream.get('time_base') ?? '').startsWith('1/')) return 'its times are of an unusual kind'
  if (!stream.has('extradata_hash')) return 'its parameter sets are not in its header'
  for (let i = 0; i < sizes.length; i++) {
    const isFound = (positions[i] ?? Number.NaN) >= 0 && (sizes[i] ?? 0) > 0
    if (!isFound || !Number.isFinite(shownAt[i]))
      return 'some of its pictures have no place or time'
  }
  for (let i = 1; i < shown.length; i++) {
    const step = (shownAt[shown[i] ?? 0] ?? 0) - (shownAt[shown[i - 1] ?? 0] ?? 0)
    if (!(step > 0)) return 'several of its pictures have the same time'
  }
  return undefined
}

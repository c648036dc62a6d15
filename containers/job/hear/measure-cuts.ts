import { measureCutting, type CutChoice } from '../../cuts/measure-cutting.ts'
import type { StoredClip } from '../../cuts/join-packings.ts'
import { stackOf } from '../../errors/log.ts'
import { keepsPictures, type Measured } from '../../render/apply-options.ts'
import { chooseRow } from '../../render/copy-row.ts'
import { canCopyVideo } from '../../render/output/encoding.ts'
import { removedParts } from '../../render/removed-parts.ts'
import { storedStream } from '../../render/stored-stream.ts'
import type { Clips } from '../../render/frame/shape-clips.ts'
import type { Clip } from '../../timeline/clip.ts'
import { keptSpans } from '../../timeline/frame-spans.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import type { JobContext } from '../job-context.ts'

/**
 * Finds how a video can be cut as it is stored, and joined where that takes more than to put its clips in a row; undefined
 * if nothing of that is needed, or if it is encoded in any case.
 */
export async function measureCuts(
  { job, log, tools, during }: JobContext,
  clips: Clips,
  measured: Measured,
): Promise<CutChoice | undefined> {
  const { compressionQuality, outputFormat, removeSegments } = job.options
  const removed = removedParts(clips, removeSegments, measured.sound)
  const mayCopy = clips.every(({ facts }) => canCopyVideo(facts, outputFormat))
  if (compressionQuality < 100 || !mayCopy) return undefined
  const isCut = removed.all.length > 0
  if (!isCut && isRow(clips, job.options, measured)) return undefined
  if (!keepsPictures(clips, job.options, measured)) return undefined
  const { frameRate, totalFrames, clipFrames } = timelineOf(clips)
  const storedAs = ({ video, facts }: Clip, i: number): StoredClip => {
    return { path: storedStream(video).from.path, facts, frames: clipFrames[i] ?? 0 }
  }
  const [first, ...others] = clips
  const request = {
    clips: [storedAs(first, 0), ...others.map((clip, i) => storedAs(clip, i + 1))] as const,
    frameRate,
    kept: keptSpans(removed.all, totalFrames),
    packings: measured.packings,
  }
  try {
    const choice = await during({ doing: 'planning the cuts' }, async () =>
      measureCutting(tools, request),
    )
    // A join has its own reasons.
    return isCut || 'cutting' in choice ? choice : undefined
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Cuts could not be measured', { fault: stackOf(error) })
    return { why: 'it could not be measured' }
  }
}

/** Whether all pictures are copied without it. */
function isRow(
  clips: Clips,
  { outputFormat }: JobContext['job']['options'],
  { packings }: Measured,
): boolean {
  return clips.length === 1 || 'row' in chooseRow(clips, packings, outputFormat)
}

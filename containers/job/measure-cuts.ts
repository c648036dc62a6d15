import { measureCutting, type CutChoice } from '../cuts/measure-cutting.ts'
import { stackOf } from '../errors/log.ts'
import { keepsPictures, type Measured } from '../render/apply-options.ts'
import { canCopyVideo } from '../render/encoding.ts'
import { removedParts } from '../render/removed-parts.ts'
import { storedStream } from '../render/stored-stream.ts'
import type { Clips } from '../render/shape-clips.ts'
import { keptSpans } from '../timeline/frame-spans.ts'
import { timelineOf } from '../timeline/timeline.ts'
import type { JobContext } from './job-context.ts'

/** Finds how a video can be cut as it is stored; undefined if it is not cut, or encoded in any case. */
export async function measureCuts(
  { job, log, tools }: JobContext,
  clips: Clips,
  measured: Measured,
): Promise<CutChoice | undefined> {
  const { compressionQuality, outputFormat, removeSegments } = job.options
  const [{ facts, video }, ...others] = clips
  const removed = removedParts(clips, removeSegments, measured.sound)
  const mayCopy = compressionQuality === 100 && canCopyVideo(facts, outputFormat)
  if (others.length > 0 || removed.all.length === 0 || !mayCopy) return undefined
  if (!keepsPictures(clips, job.options, measured)) return undefined
  const kept = keptSpans(removed.all, timelineOf(clips).totalFrames)
  try {
    return await measureCutting(tools, { path: storedStream(video).from.path, facts, kept })
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Cuts could not be measured', { fault: stackOf(error) })
    return { why: 'it could not be measured' }
  }
}

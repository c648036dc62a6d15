import { JobError } from '../errors/job-error.ts'
import { fpsOf } from './frame-rate.ts'
import { keptSpans, mergeSpans, spansBeforeCuts, type FrameSpan } from './frame-spans.ts'
import type { InputOptions } from './clip.ts'
import type { Timeline } from './timeline.ts'

/** Seconds, as a request names them. */
export type TimeSpan = { readonly startTime: number; readonly endTime: number }

/** What is to be left out, at every level at which it can be said. */
export type CutRequest = {
  /** Of each clip, in its own time. */
  readonly clips: readonly Pick<InputOptions, 'removeSegments'>[]
  /** In the time of what the clips leave, joined. */
  readonly removeSegments: readonly TimeSpan[] | undefined
}

/**
 * Every removed part in pictures of the joined timeline. Picture and sound are both cut by this one list, so that they
 * cannot drift apart.
 */
export function segmentCuts(timeline: Timeline, request: CutRequest): FrameSpan[] {
  const ofClips = fileCuts(timeline, request.clips)
  const ofWhole = (request.removeSegments ?? []).map((span) => toFrames(span, timeline))
  return withLaterCuts(timeline, ofClips, ofWhole)
}

/** What the segments of single files leave out, in pictures of the joined timeline. */
export function fileCuts(timeline: Timeline, clips: CutRequest['clips']): FrameSpan[] {
  return mergeSpans(clipCuts(timeline, clips), timeline.totalFrames)
}

/** Adds cuts counted in what the earlier ones leave. */
export function withLaterCuts(
  timeline: Timeline,
  removed: readonly FrameSpan[],
  later: readonly FrameSpan[],
): FrameSpan[] {
  const { totalFrames } = timeline
  const added = spansBeforeCuts(later, keptSpans(removed, totalFrames))
  const merged = mergeSpans([...removed, ...added], totalFrames)
  const [only] = merged
  if (only && only.from === 0 && only.to === totalFrames) {
    throw new JobError('nothing_left', 'removeSegments leaves nothing of the video.')
  }
  return merged
}

function clipCuts(timeline: Timeline, clips: CutRequest['clips']): FrameSpan[] {
  let before = 0
  return timeline.clipFrames.flatMap((frames, i) => {
    const start = before
    before += frames
    const spans = (clips[i]?.removeSegments ?? []).map((span) => toFrames(span, timeline))
    return mergeSpans(spans, frames).map(({ from, to }) => ({ from: start + from, to: start + to }))
  })
}

function toFrames({ startTime, endTime }: TimeSpan, { frameRate }: Timeline): FrameSpan {
  const fps = fpsOf(frameRate)
  return { from: Math.round(startTime * fps), to: Math.round(endTime * fps) }
}

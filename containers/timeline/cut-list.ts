import { JobError } from '../errors/job-error.ts'
import { fpsOf } from './frame-rate.ts'
import {
  keptSpans,
  mergeSpans,
  spansBeforeCuts,
  subtractSpans,
  type FrameSpan,
} from './frame-spans.ts'
import type { Clip, InputOptions } from './clip.ts'
import { decidedOf, nothingRemoved, type CutTimeline, type Removed } from './list-cuts.ts'
import { timelineOf, type Timeline } from './timeline.ts'

/** Seconds, as a request names them. */
export type TimeSpan = { readonly startTime: number; readonly endTime: number }

/** The cuts of a request, for single files and for the whole. */
type AskedCuts = {
  /** The cuts of each clip, in its own time. */
  readonly clips: readonly Pick<InputOptions, 'removeSegments'>[]
  /** The cuts of the whole, in the time of the joined clips after their own cuts. */
  readonly removeSegments: readonly TimeSpan[] | undefined
}

/**
 * Joins clips, and cuts out of them what the request names. Picture and sound are cut by this same list, so that they
 * cannot drift apart.
 */
export function cutTimeline(
  clips: readonly Pick<Clip<'removeSegments'>, 'facts' | 'asked'>[],
  removeSegments: AskedCuts['removeSegments'],
): CutTimeline {
  const timeline = timelineOf(clips)
  const ofClips = fileCuts(
    timeline,
    clips.map(({ asked }) => asked),
  )
  const ofWhole = (removeSegments ?? []).map((span) => toFrames(span, timeline))
  const asked = withLaterCuts(timeline, ofClips, ofWhole)
  return { timeline, removed: { ...nothingRemoved, all: asked, asked }, joints: [] }
}

/** What the segments of single files remove, in pictures of the joined timeline. */
export function fileCuts(timeline: Timeline, clips: AskedCuts['clips']): FrameSpan[] {
  return mergeSpans(clipCuts(timeline, clips), timeline.totalFrames)
}

/** Adds cuts that count in what the earlier cuts leave. */
export function withLaterCuts(
  timeline: Timeline,
  removed: readonly FrameSpan[],
  later: readonly FrameSpan[],
): FrameSpan[] {
  const { totalFrames } = timeline
  const added = spansBeforeCuts(later, keptSpans(removed, totalFrames))
  return refuseNothing(mergeSpans([...removed, ...added], totalFrames), totalFrames)
}

function refuseNothing(
  removed: FrameSpan[],
  totalFrames: number,
  why = 'removeSegments leaves',
): FrameSpan[] {
  const [only] = removed
  if (only && only.from === 0 && only.to === totalFrames) {
    throw new JobError('nothing_left', `${why} nothing of the video.`)
  }
  return removed
}

/** Cuts of the raw joined timeline, as they were decided from what is said. */
export type SpokenCuts = Pick<Removed, 'text' | 'fillers'>

/** Adds the cuts found in the speech to those of the segments. */
export function withSpokenCuts(
  { totalFrames }: Timeline,
  asked: readonly FrameSpan[],
  spoken: SpokenCuts,
): Omit<Removed, 'all'> {
  const text = subtractSpans(mergeSpans(spoken.text, totalFrames), asked)
  const before = mergeSpans([...asked, ...text], totalFrames)
  const fillers = subtractSpans(mergeSpans(spoken.fillers, totalFrames), before)
  const removed = { asked, text, fillers }
  refuseNothing(decidedOf(removed), totalFrames, 'What is said and was to be cut leaves')
  return removed
}

function clipCuts(timeline: Timeline, clips: AskedCuts['clips']): FrameSpan[] {
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

import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
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
import { clipSpans, timelineOf, type Timeline } from './timeline.ts'
import { totalLength } from '../numbers/spans.ts'

/** Seconds, as a request names them. */
export type RequestedSpan = { readonly startTime: number; readonly endTime: number }

/** Either names what is removed, or what is kept. */
type ClipCuts = Pick<InputOptions, 'removeSegments' | 'keepSegments'>

/** The cuts of the whole, in the time of the joined clips after their own cuts. */
export type WholeCuts = Pick<ProcessingOptions, 'removeSegments' | 'keepSegments' | 'trim'>

/**
 * Joins clips, and cuts out what the request names. Pictures and sound are cut by this same list, so that they cannot drift
 * apart.
 */
export function cutTimeline(
  clips: readonly Pick<Clip<keyof ClipCuts>, 'facts' | 'asked'>[],
  whole: WholeCuts & Pick<ProcessingOptions, 'speed'>,
): CutTimeline {
  const timeline = timelineOf(clips, whole.speed)
  const ofClips = fileCuts(timeline, clips)
  const later = wholeCuts(timeline, ofClips, whole)
  const asked = withLaterCuts(timeline, ofClips, later, whyNothing(whole))
  return { timeline, removed: { ...nothingRemoved, all: asked, asked }, joints: [] }
}

/** What the segments of single files remove, in pictures of the joined timeline. */
export function fileCuts(
  timeline: Timeline,
  clips: readonly { readonly asked: ClipCuts }[],
): FrameSpan[] {
  const all = clipSpans(timeline).flatMap(({ from: start, to: end }, i) =>
    removedBy(clips[i]?.asked ?? {}, timeline, end - start).map(({ from, to }) => ({
      from: start + from,
      to: start + to,
    })),
  )
  return mergeSpans(all, timeline.totalFrames)
}

/** Adds cuts that count in the time that the earlier cuts leave. */
export function withLaterCuts(
  timeline: Timeline,
  removed: readonly FrameSpan[],
  later: readonly FrameSpan[],
  why?: string,
): FrameSpan[] {
  const { totalFrames } = timeline
  const added = spansBeforeCuts(later, keptSpans(removed, totalFrames))
  return refuseNothing(mergeSpans([...removed, ...added], totalFrames), totalFrames, why)
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

/** Cuts of the raw joined timeline that were decided by what is said. */
export type SpokenCuts = Pick<Removed, 'text' | 'fillers'>

/** `outside`: what a clip leaves out of the whole. */
export type DecidedCuts = SpokenCuts & { readonly outside?: readonly FrameSpan[] }

/** Adds the cuts found in the speech, and those of a clip, to the segments that the request removes. */
export function withSpokenCuts(
  { totalFrames }: Timeline,
  segments: readonly FrameSpan[],
  { outside = [], ...spoken }: DecidedCuts,
): Omit<Removed, 'all'> {
  const asked = mergeSpans([...segments, ...outside], totalFrames)
  const text = subtractSpans(mergeSpans(spoken.text, totalFrames), asked)
  const before = mergeSpans([...asked, ...text], totalFrames)
  const fillers = subtractSpans(mergeSpans(spoken.fillers, totalFrames), before)
  const removed = { asked, text, fillers }
  refuseNothing(decidedOf(removed), totalFrames, 'What is said and was to be cut leaves')
  return removed
}

/** What a request removes of the whole, counted in the pictures that the cuts of the files leave. */
function wholeCuts(
  timeline: Timeline,
  ofClips: readonly FrameSpan[],
  { trim, ...cuts }: WholeCuts,
): FrameSpan[] {
  const frames = totalLength(keptSpans(ofClips, timeline.totalFrames))
  const fps = fpsOf(timeline.frameRate)
  const { start = 0, end = 0 } = trim ?? {}
  return [
    ...removedBy(cuts, timeline, frames),
    { from: 0, to: Math.round(start * fps) },
    { from: frames - Math.round(end * fps), to: frames },
  ]
}

function whyNothing({ removeSegments, keepSegments, trim }: WholeCuts): string {
  const names = Object.entries({ removeSegments, keepSegments, trim })
    .filter(([, cuts]) => cuts !== undefined)
    .map(([name]) => name)
  return names.length > 1
    ? `${names.join(' and ')} leave`
    : `${names[0] ?? 'removeSegments'} leaves`
}

/** The spans that segments remove from this many pictures, whether they name these or what is kept. */
function removedBy(cuts: ClipCuts, timeline: Timeline, frames: number): FrameSpan[] {
  const { removeSegments = [], keepSegments } = cuts
  const spans = (keepSegments ?? removeSegments).map((span) => toFrames(span, timeline))
  const named = mergeSpans(spans, frames)
  return keepSegments ? keptSpans(named, frames) : named
}

function toFrames({ startTime, endTime }: RequestedSpan, { frameRate }: Timeline): FrameSpan {
  const fps = fpsOf(frameRate)
  return { from: Math.round(startTime * fps), to: Math.round(endTime * fps) }
}

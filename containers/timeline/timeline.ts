import { fpsOf, type FrameRate } from './frame-rate.ts'
import type { FrameSpan } from './frame-spans.ts'
import type { MediaFacts } from './media-facts.ts'
import type { Clip } from './clip.ts'

/** All sources one after the other, before all cuts, in whole pictures of one steady rate: that of the first clip. */
export type Timeline = {
  readonly frameRate: FrameRate
  /** The number of frames of each clip, in order. */
  readonly clipFrames: readonly number[]
  readonly totalFrames: number
  /** How fast it is played once it is cut; as it is when absent. Times of the finished video count in it. */
  readonly speed?: number | undefined
}

/** A sound that outlasts its picture by no more than this is only the last packet of its codec. */
const tailSeconds = 0.05

export function timelineOf(clips: readonly Pick<Clip, 'facts'>[], speed?: number): Timeline {
  const [first] = clips
  if (!first) throw new Error('A timeline without clips')
  const { frameRate } = first.facts.video
  const clipFrames = clips.map(({ facts }) =>
    Math.max(1, Math.round(lengthOf(facts) * fpsOf(frameRate))),
  )
  const totalFrames = clipFrames.reduce((sum, count) => sum + count, 0)
  return { frameRate, clipFrames, totalFrames, speed }
}

/** A longer sound plays to its end over the last picture; silence follows a shorter one. */
function lengthOf({ video, durationSeconds }: MediaFacts): number {
  const hasLongerSound = durationSeconds > video.endSeconds + tailSeconds
  return hasLongerSound ? durationSeconds : video.endSeconds
}

/** Where each clip lies on the timeline, in its order. */
export function clipSpans({ clipFrames }: Pick<Timeline, 'clipFrames'>): FrameSpan[] {
  let end = 0
  return clipFrames.map((frames) => ({ from: end, to: (end += frames) }))
}

/** How long all clips are in a row, before any cut. */
export function joinedSeconds({
  totalFrames,
  frameRate,
}: Pick<Timeline, 'totalFrames' | 'frameRate'>): number {
  return totalFrames / fpsOf(frameRate)
}

/** How long this many seconds of what the cuts leave last in the finished video. */
export function finishedTime(keptSeconds: number, { speed = 1 }: Pick<Timeline, 'speed'>): number {
  return keptSeconds / speed
}

/** How long a film lasts: with another speed in whole pictures, so that its sound ends with the last of them. */
export function finishedLength(
  keptSeconds: number,
  { frameRate, speed = 1 }: Pick<Timeline, 'frameRate' | 'speed'>,
): number {
  if (speed === 1) return keptSeconds
  const fps = fpsOf(frameRate)
  return Math.max(1, Math.round((keptSeconds / speed) * fps)) / fps
}

/** The reverse of `finishedTime`. */
export function keptTime(finishedSeconds: number, { speed = 1 }: Pick<Timeline, 'speed'>): number {
  return finishedSeconds * speed
}

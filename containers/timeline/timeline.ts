import { fpsOf, type FrameRate } from './frame-rate.ts'
import type { MediaFacts } from './media-facts.ts'
import type { Clip } from './clip.ts'

/** All sources in a row, before anything is cut, counted in whole pictures of one steady rate: the first clip's. */
export type Timeline = {
  readonly frameRate: FrameRate
  /** Of each clip, in order. */
  readonly clipFrames: readonly number[]
  readonly totalFrames: number
}

/** A sound that ends no later than this after its picture is only the last packet of its codec. */
const tailSeconds = 0.05

export function timelineOf(clips: readonly Pick<Clip, 'facts'>[]): Timeline {
  const [first] = clips
  if (!first) throw new Error('A timeline without clips')
  const { frameRate } = first.facts.video
  const clipFrames = clips.map(({ facts }) =>
    Math.max(1, Math.round(lengthOf(facts) * fpsOf(frameRate))),
  )
  return { frameRate, clipFrames, totalFrames: clipFrames.reduce((sum, count) => sum + count, 0) }
}

/** A sound that goes on is heard to its end, under the last picture; silence follows one that ends before. */
function lengthOf({ video, durationSeconds }: MediaFacts): number {
  const hasLongerSound = durationSeconds > video.endSeconds + tailSeconds
  return hasLongerSound ? durationSeconds : video.endSeconds
}

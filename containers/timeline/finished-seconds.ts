import type { Clip } from './clip.ts'
import { fpsOf } from './frame-rate.ts'
import { frameCount, type FrameSpan } from './frame-spans.ts'
import { timelineOf } from './timeline.ts'

/** How long the finished video will be: a single file that nothing is cut out of keeps its own length. */
export function finishedSeconds(
  clips: readonly Pick<Clip, 'facts'>[],
  removed: readonly FrameSpan[],
): number {
  const [first] = clips
  if (first && clips.length === 1 && removed.length === 0) return first.facts.durationSeconds
  const { totalFrames, frameRate } = timelineOf(clips)
  return (totalFrames - frameCount(removed)) / fpsOf(frameRate)
}

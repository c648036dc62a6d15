import { segmentCuts, type TimeSpan } from '../timeline/cut-list.ts'
import type { Clip } from '../timeline/clip.ts'
import { nothingRemoved, type Removed } from '../timeline/list-cuts.ts'
import { timelineOf } from '../timeline/timeline.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'

type CutClip = Clip<'removeSegments'>

/** What is cut out of the timeline. The prepared sound was cut by the same list; without it, segments alone are cut. */
export function removedParts(
  clips: readonly CutClip[],
  removeSegments: readonly TimeSpan[] | undefined,
  sound: PreparedSound | undefined,
): Removed {
  if (sound) return sound.removed
  const asked = clips.map((clip) => clip.asked)
  const cuts = segmentCuts(timelineOf(clips), { clips: asked, removeSegments })
  return { ...nothingRemoved, all: cuts, asked: cuts }
}

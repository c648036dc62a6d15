import type { Speech } from '../../timeline/speech.ts'
import { finishedTime, type Timeline } from '../../timeline/timeline.ts'

type Spoken = { readonly startTime: number; readonly endTime: number }

/** Speech of what the cuts leave, in the times at which it is heard once the film has its speed. */
export function inFinishedTime(speech: Speech, timeline: Pick<Timeline, 'speed'>): Speech {
  const placed = <Part extends Spoken>(part: Part): Part => ({
    ...part,
    startTime: finishedTime(part.startTime, timeline),
    endTime: finishedTime(part.endTime, timeline),
  })
  return {
    ...speech,
    segments: speech.segments.map(({ words, ...segment }) => ({
      ...placed(segment),
      ...(words && { words: words.map(placed) }),
    })),
  }
}

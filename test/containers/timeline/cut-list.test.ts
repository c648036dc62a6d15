import { describe, expect, it } from 'vitest'
import { cutTimeline, type TimeSpan } from '../../../containers/timeline/cut-list.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const span = (startTime: number, endTime: number) => ({ startTime, endTime })

/** Of 25 pictures a second. */
const clip = (seconds: number, removeSegments?: TimeSpan[]) => ({
  facts: someFacts({ durationSeconds: seconds, video: { endSeconds: seconds } }),
  asked: removeSegments ? { removeSegments } : {},
})

describe('cutTimeline', () => {
  it('snaps cuts to pictures, counted from the beginning', () => {
    const { timeline, removed } = cutTimeline([clip(4), clip(2)], [span(0.99, 1.51)])
    expect(timeline.totalFrames).toBe(150)
    expect(removed.all).toEqual([{ from: 25, to: 38 }])
  })

  it('cuts files in their own time, limited to the file, and then the whole in its own', () => {
    const clips = [clip(4, [span(3, 100)]), clip(2, [span(0, 1)])]
    // What is left: 75 pictures of the first file and 25 of the second.
    expect(cutTimeline(clips, [span(2, 3.4)]).removed.all).toEqual([{ from: 50, to: 135 }])
  })

  it('may remove a whole file, but never everything', () => {
    const clips = [clip(4, [span(0, 4)]), clip(2)]
    expect(cutTimeline(clips, undefined).removed.all).toEqual([{ from: 0, to: 100 }])
    expect(() => cutTimeline(clips, [span(0, 2)])).toThrow(
      'removeSegments leaves nothing of the video.',
    )
  })
})

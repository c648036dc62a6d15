import { describe, expect, it } from 'vitest'
import { segmentCuts } from '../../../containers/timeline/cut-list.ts'
import type { Timeline } from '../../../containers/timeline/timeline.ts'

const timeline: Timeline = {
  frameRate: { frames: 25, seconds: 1 },
  clipFrames: [100, 50],
  totalFrames: 150,
}
const span = (startTime: number, endTime: number) => ({ startTime, endTime })

describe('segmentCuts', () => {
  it('snaps cuts to pictures, counted from the beginning', () => {
    const removeSegments = [span(0.99, 1.51)]
    expect(segmentCuts(timeline, { clips: [{}, {}], removeSegments })).toEqual([
      { from: 25, to: 38 },
    ])
  })

  it('cuts files in their own time, limited to the file, and then the whole in its own', () => {
    const clips = [{ removeSegments: [span(3, 100)] }, { removeSegments: [span(0, 1)] }]
    // What is left: 75 pictures of the first file and 25 of the second.
    expect(segmentCuts(timeline, { clips, removeSegments: [span(2, 3.4)] })).toEqual([
      { from: 50, to: 135 },
    ])
  })

  it('may remove a whole file, but never everything', () => {
    const clips = [{ removeSegments: [span(0, 4)] }, {}]
    expect(segmentCuts(timeline, { clips, removeSegments: undefined })).toEqual([
      { from: 0, to: 100 },
    ])
    expect(() => segmentCuts(timeline, { clips, removeSegments: [span(0, 2)] })).toThrow(
      'removeSegments leaves nothing of the video.',
    )
  })
})

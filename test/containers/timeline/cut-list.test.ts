import { describe, expect, it } from 'vitest'
import {
  cutTimeline,
  type RequestedSpan,
  type WholeCuts,
} from '../../../containers/timeline/cut-list.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const span = (startTime: number, endTime: number) => ({ startTime, endTime })

/** Of 25 pictures a second. */
const clip = (seconds: number, removeSegments?: RequestedSpan[]) => ({
  facts: someFacts({ durationSeconds: seconds, video: { endSeconds: seconds } }),
  asked: removeSegments ? { removeSegments } : {},
})

describe('cutTimeline', () => {
  it('snaps cuts to pictures, counted from the beginning', () => {
    const { timeline, removed } = cutTimeline([clip(4), clip(2)], {
      removeSegments: [span(0.99, 1.51)],
    })
    expect(timeline.totalFrames).toBe(150)
    expect(removed.all).toEqual([{ from: 25, to: 38 }])
  })

  it('cuts files in their own time, limited to the file, and then the whole in its own', () => {
    const clips = [clip(4, [span(3, 100)]), clip(2, [span(0, 1)])]
    // What is left: 75 pictures of the first file and 25 of the second.
    expect(cutTimeline(clips, { removeSegments: [span(2, 3.4)] }).removed.all).toEqual([
      { from: 50, to: 135 },
    ])
  })

  it('may remove a whole file, but never everything', () => {
    const clips = [clip(4, [span(0, 4)]), clip(2)]
    expect(cutTimeline(clips, {}).removed.all).toEqual([{ from: 0, to: 100 }])
    expect(() => cutTimeline(clips, { removeSegments: [span(0, 2)] })).toThrow(
      'removeSegments leaves nothing of the video.',
    )
  })

  it('keeps what is to be kept of files and of the whole, and takes off both ends', () => {
    const kept = { ...clip(4), asked: { keepSegments: [span(1, 2), span(3, 100)] } }
    // 50 pictures of the first file are left, and 50 of the second.
    const clips = [kept, clip(2)]
    const ofFiles = [
      { from: 0, to: 25 },
      { from: 50, to: 75 },
    ]
    const removedBy = (whole: WholeCuts) => cutTimeline(clips, whole).removed.all
    expect(removedBy({})).toEqual(ofFiles)
    expect(removedBy({ trim: { start: 0.4, end: 1 } })).toEqual([
      { from: 0, to: 35 },
      { from: 50, to: 75 },
      { from: 125, to: 150 },
    ])
    expect(removedBy({ keepSegments: [span(0.5, 3)], trim: { start: 1, end: 0 } })).toEqual([
      { from: 0, to: 75 },
      { from: 125, to: 150 },
    ])
  })

  it('says what leaves nothing', () => {
    expect(() => cutTimeline([clip(4)], { trim: { start: 3, end: 1 } })).toThrow(
      'trim leaves nothing of the video.',
    )
    expect(() => cutTimeline([clip(4)], { trim: { start: 1e9 } })).toThrow('trim leaves nothing')
    const whole = { keepSegments: [span(1, 2)], trim: { start: 2 } }
    expect(() => cutTimeline([clip(4)], whole)).toThrow(
      'keepSegments and trim leave nothing of the video.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { fileCuts, type RequestedSpan } from '../../../containers/timeline/cut-list.ts'
import { outsideWarnings } from '../../../containers/render/outside-warnings.ts'
import type { Timeline } from '../../../containers/timeline/timeline.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const span = (startTime: number, endTime: number): RequestedSpan => ({ startTime, endTime })

function warnings(seconds: number[], ofFiles: RequestedSpan[][], removeSegments?: RequestedSpan[]) {
  const clipFrames = seconds.map((length) => Math.floor(length * 25))
  const totalFrames = clipFrames.reduce((sum, frames) => sum + frames, 0)
  const timeline: Timeline = { frameRate: { frames: 25, seconds: 1 }, clipFrames, totalFrames }
  const clips = seconds.map((durationSeconds, i) => {
    const segments = ofFiles[i]
    const asked = segments ? { removeSegments: segments } : {}
    return { facts: someFacts({ durationSeconds }), asked }
  })
  const removedOfFiles = fileCuts(timeline, clips)
  return outsideWarnings(timeline, { clips, whole: { removeSegments }, removedOfFiles })
}

describe('outsideWarnings', () => {
  it('names a segment that lies wholly or partly beyond the end, and no other', () => {
    const segments = [span(0, 1), span(100, 200), span(4, 200), span(4, 5), span(5, 6)]
    expect(warnings([5], [], segments)).toEqual([
      'removeSegments[1] was left out: it starts at 100 s, and the source ends at 5 s.',
      'removeSegments[2] was shortened: it ends at 200 s, and the source ends at 5 s.',
      'removeSegments[4] was left out: it starts at 5 s, and the source ends at 5 s.',
    ])
  })

  it('says nothing if the end is that of the sound, or was rounded up', () => {
    expect(warnings([5.023], [], [span(4, 5.023)])).toEqual([])
    expect(warnings([5], [], [span(4, 5.04)])).toEqual([])
    expect(warnings([5], [], [span(4, 5.1)])).toHaveLength(1)
  })

  it('warns of a segment that is too short to hold a picture', () => {
    expect(warnings([5], [], [span(2.001, 2.01)])).toEqual([
      'removeSegments[0] was left out: no picture is as short as 0.009 s.',
    ])
  })

  it('takes segments of a file in its own time, and those of the whole in the time that the files leave', () => {
    const ofFiles = [[span(3, 9)], [span(2, 3)]]
    expect(warnings([4, 2], ofFiles, [span(4, 6)])).toEqual([
      'files[0].removeSegments[0] was shortened: it ends at 9 s, and the file ends at 4 s.',
      'files[1].removeSegments[0] was left out: it starts at 2 s, and the file ends at 2 s.',
      'removeSegments[0] was shortened: it ends at 6 s, and the joined files end at 5 s.',
    ])
  })

  it('leaves room for other warnings', () => {
    const many = Array.from({ length: 200 }, (_, i) => span(100 + i, 101 + i))
    const all = warnings([5], [], many)
    expect(all).toHaveLength(11)
    expect(all[10]).toBe('190 more of removeSegments were left out or shortened in the same way.')
  })
})

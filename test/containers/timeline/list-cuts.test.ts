import { describe, expect, it } from 'vitest'
import { describeCuts, listCuts, nothingRemoved } from '../../../containers/timeline/list-cuts.ts'
import type { Timeline } from '../../../containers/timeline/timeline.ts'

const timeline: Timeline = {
  frameRate: { frames: 25, seconds: 1 },
  clipFrames: [100, 50],
  totalFrames: 150,
}

describe('describeCuts', () => {
  it('says where each cut is in its source, why it was made, and where its joint is in the result', () => {
    const removed = {
      ...nothingRemoved,
      all: [
        { from: 0, to: 25 },
        { from: 50, to: 75 },
      ],
      asked: [{ from: 50, to: 60 }],
    }
    expect(describeCuts({ timeline, removed, joints: [] })).toEqual({
      count: 2,
      removedSeconds: 2,
      segmentsSeconds: 0.4,
      textSeconds: 0,
      fillersSeconds: 0,
      silenceSeconds: 1.6,
      list: [
        { source: 0, startTime: 0, endTime: 1, why: 'silence', resultTime: 0 },
        { source: 0, startTime: 2, endTime: 2.4, why: 'asked', resultTime: 1 },
        { source: 0, startTime: 2.4, endTime: 3, why: 'silence', resultTime: 1 },
      ],
      unlisted: 0,
    })
  })

  it('names the silence on both sides of a requested cut', () => {
    const removed = {
      ...nothingRemoved,
      all: [{ from: 10, to: 60 }],
      asked: [{ from: 20, to: 30 }],
    }
    expect(
      listCuts({ timeline, removed, joints: [] }).map(({ startTime, why }) => [startTime, why]),
    ).toEqual([
      [0.4, 'silence'],
      [0.8, 'asked'],
      [1.2, 'silence'],
    ])
  })

  it('tells words and fillers apart', () => {
    const removed = {
      all: [{ from: 0, to: 50 }],
      asked: [{ from: 0, to: 10 }],
      text: [{ from: 10, to: 20 }],
      fillers: [{ from: 30, to: 40 }],
    }
    expect(
      listCuts({ timeline, removed, joints: [] }).map(({ startTime, why }) => [startTime, why]),
    ).toEqual([
      [0, 'asked'],
      [0.4, 'text'],
      [0.8, 'silence'],
      [1.2, 'filler'],
      [1.6, 'silence'],
    ])
  })

  it('reports a cut across the end of a file in the times of both files', () => {
    const span = { from: 90, to: 110 }
    expect(
      listCuts({
        timeline,
        removed: { ...nothingRemoved, all: [span], asked: [span] },
        joints: [],
      }),
    ).toEqual([
      { source: 0, startTime: 3.6, endTime: 4, why: 'asked', resultTime: 3.6 },
      { source: 1, startTime: 0, endTime: 0.4, why: 'asked', resultTime: 3.6 },
    ])
  })

  it('is empty if nothing was removed, and never longer than a report can hold', () => {
    expect(describeCuts({ timeline, removed: nothingRemoved, joints: [] })).toMatchObject({
      count: 0,
      list: [],
    })
    const all = Array.from({ length: 6_000 }, (_, i) => ({ from: 2 * i, to: 2 * i + 1 }))
    const long = { ...timeline, clipFrames: [12_000], totalFrames: 12_000 }
    const described = describeCuts({
      timeline: long,
      removed: { ...nothingRemoved, all, asked: all },
      joints: [],
    })
    expect(described).toMatchObject({ count: 6_000, unlisted: 1_000 })
    expect(described.list.at(-1)).toMatchObject({ startTime: 399.92, resultTime: 199.96 })
  })
})

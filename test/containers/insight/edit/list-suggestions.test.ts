import { describe, expect, it } from 'vitest'
import { segment } from '../../../../worker/contract/options/cuts.ts'
import type { FillerCut } from '../../../../containers/insight/edit/cut-spoken.ts'
import { listSuggestions } from '../../../../containers/insight/edit/list-suggestions.ts'
import {
  cutTimeline,
  fileCuts,
  type RequestedSpan,
} from '../../../../containers/timeline/cut-list.ts'
import type { Timeline } from '../../../../containers/timeline/timeline.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'

const timeline = (frames = 25, seconds = 1, clipFrames = [1000]): Timeline => ({
  frameRate: { frames, seconds },
  clipFrames,
  totalFrames: clipFrames.reduce((sum, frames) => sum + frames, 0),
})
const span = (from: number, to: number) => ({ from, to })
const filler = (from: number, to: number, text = 'um'): FillerCut => ({
  ...{ from, to, text, first: 0, last: 0, why: 'filler' },
})
const repeat = (from: number, to: number, text: string): FillerCut => ({
  ...filler(from, to, text),
  why: 'repeat',
})
/** What comes out when suggestions are asked for as `removeSegments`. */
function cutBy(
  { frameRate, clipFrames }: Timeline,
  removeSegments: RequestedSpan[],
  clips: readonly { removeSegments?: RequestedSpan[] }[] = [{}],
) {
  const sources = clipFrames.map((frames, i) => {
    const durationSeconds = (frames * frameRate.seconds) / frameRate.frames
    const facts = someFacts({ durationSeconds, video: { frameRate, endSeconds: durationSeconds } })
    return { facts, asked: clips[i] ?? {} }
  })
  return cutTimeline(sources, { removeSegments }).removed.all
}
const nothing = { all: [], ofFiles: [] }
const usual = { timeline: timeline(), most: 200 }

describe('listSuggestions', () => {
  it('puts what was found in order, with its reason and what is said', () => {
    const found = {
      silences: [span(500, 550), span(0, 25)],
      fillers: [repeat(200, 220, 'we were'), filler(100, 110)],
    }
    expect(listSuggestions(found, nothing, usual)).toEqual({
      suggestions: [
        { startTime: 0, endTime: 1, why: 'silence' },
        { startTime: 4, endTime: 4.4, why: 'filler', text: 'um' },
        { startTime: 8, endTime: 8.8, why: 'repeated_start', text: 'we were' },
        { startTime: 20, endTime: 22, why: 'silence' },
      ],
      unlisted: 0,
    })
  })

  it('leaves out what the request removes already', () => {
    const found = { silences: [span(0, 100), span(300, 350)], fillers: [filler(200, 210)] }
    const all = [span(50, 60), span(190, 220), span(340, 400)]
    expect(listSuggestions(found, { all, ofFiles: [] }, usual).suggestions).toEqual([
      { startTime: 0, endTime: 2, why: 'silence' },
      { startTime: 2.4, endTime: 4, why: 'silence' },
      { startTime: 12, endTime: 13.6, why: 'silence' },
    ])
  })

  it('counts in the time that the cuts of single files leave, as removeSegments does', () => {
    const joined = timeline(25, 1, [500, 500])
    const clips = [{ removeSegments: [{ startTime: 2, endTime: 4 }] }, {}]
    const ofFiles = fileCuts(
      joined,
      clips.map((asked) => ({ asked })),
    )
    const found = { silences: [span(25, 125), span(600, 650)], fillers: [] }
    const { suggestions } = listSuggestions(
      found,
      { all: ofFiles, ofFiles },
      { ...usual, timeline: joined },
    )
    expect(suggestions).toEqual([
      { startTime: 1, endTime: 3, why: 'silence' },
      { startTime: 22, endTime: 24, why: 'silence' },
    ])
    expect(cutBy(joined, suggestions, clips)).toEqual([span(25, 125), span(600, 650)])
  })

  it('names what overlaps once, and gives words the rests of a silence too short for themselves', () => {
    const found = {
      silences: [span(100, 200), span(303, 320)],
      fillers: [filler(150, 160), filler(196, 210), filler(300, 316), repeat(310, 330, 'we')],
    }
    const { suggestions } = listSuggestions(found, nothing, usual)
    expect(suggestions).toEqual([
      { startTime: 4, endTime: 6, why: 'silence' },
      { startTime: 6, endTime: 6.4, why: 'filler', text: 'um' },
      { startTime: 6.4, endTime: 7.84, why: 'silence' },
      { startTime: 7.84, endTime: 8.4, why: 'filler', text: 'um' },
      { startTime: 12, endTime: 13.2, why: 'filler', text: 'um' },
    ])
    const short = { silences: [span(100, 120)], fillers: [filler(105, 125)] }
    expect(listSuggestions(short, nothing, usual).suggestions).toEqual([
      { startTime: 4, endTime: 5, why: 'filler', text: 'um' },
    ])
  })

  it.each([
    [24_000, 1001],
    [30_000, 1001],
    [60_000, 1001],
    [240, 1],
  ])('is cut at the same pictures when it comes back at %i/%i fps', (frames, seconds) => {
    const fast = timeline(frames, seconds, [100_000])
    const silences = Array.from({ length: 100 }, (_, i) => span(i * 997 + 7, i * 997 + 307))
    const { suggestions } = listSuggestions({ silences, fillers: [] }, nothing, {
      timeline: fast,
      most: 200,
    })
    expect(suggestions).toHaveLength(100)
    const fps = frames / seconds
    for (const [i, one] of suggestions.entries()) {
      expect(one.startTime).toBeGreaterThanOrEqual((i * 997 + 7) / fps - 1e-9)
      expect(one.endTime).toBeLessThanOrEqual((i * 997 + 307) / fps + 1e-9)
      expect(Number(one.startTime.toFixed(3))).toBe(one.startTime)
    }
    expect(cutBy(fast, suggestions)).toEqual(silences)
  })

  it('keeps the longest, in order, and says how many it left out', () => {
    const silences = [span(0, 30), span(50, 60), span(100, 200), span(300, 340)]
    expect(listSuggestions({ silences, fillers: [] }, nothing, { ...usual, most: 2 })).toEqual({
      suggestions: [
        { startTime: 4, endTime: 8, why: 'silence' },
        { startTime: 12, endTime: 13.6, why: 'silence' },
      ],
      unlisted: 2,
    })
  })

  it('makes entries of removeSegments, once why and text are dropped', () => {
    const found = { silences: [span(3, 17)], fillers: [filler(40, 50)] }
    for (const { startTime, endTime } of listSuggestions(found, nothing, usual).suggestions) {
      expect(segment.safeParse({ startTime, endTime }).success).toBe(true)
    }
  })
})

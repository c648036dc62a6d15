import { describe, expect, it } from 'vitest'
import { betweenHalves, halvesIn } from '../../../../containers/job/plan/add-captions.ts'
import type { SetCaption } from '../../../../containers/text/caption-track.ts'
import type { SeenPerson } from '../../../../containers/timeline/seen-shots.ts'

const looks = Array.from({ length: 40 }, (_, i) => i / 4)

const person = (left: number): SeenPerson =>
  looks.map((seconds) => ({ seconds, left, right: left + 0.1, top: 0.3, bottom: 0.5 }))

/** Ten seconds at 25 pictures a second of two people far apart, of which seconds two to four are cut out. */
function cutOf(aspectRatio: string, speed?: number): Parameters<typeof halvesIn>[0] {
  const shot = { startSeconds: 0, endSeconds: 10, looks, people: [person(0.1), person(0.8)] }
  const seen = { shots: [shot], asked: [], picture: { width: 1280, height: 720 }, beginSeconds: 0 }
  const asked = [{ from: 50, to: 100 }]
  return {
    clips: [{ seen }],
    timeline: { frameRate: { frames: 25, seconds: 1 }, clipFrames: [250], totalFrames: 250, speed },
    removed: { all: asked, asked, text: [], fillers: [] },
    joints: [],
    context: { job: { options: { aspectRatio, resizeMode: 'follow' } } },
  } as unknown as Parameters<typeof halvesIn>[0]
}

it('halvesIn tells when two people are shown one above the other, in the time of the finished video', () => {
  expect(halvesIn(cutOf('9:16'))).toEqual([{ from: 0, to: 8 }])
  expect(halvesIn(cutOf('9:16', 2))).toEqual([{ from: 0, to: 4 }])
  expect(halvesIn(cutOf('original'))).toEqual([])
})

describe('betweenHalves', () => {
  const caption = (startTime: number, endTime: number): SetCaption => {
    const line = { words: [], width: 100 }
    return { startTime, endTime, lines: [line, line], isRightToLeft: false }
  }

  it('moves captions up to where the halves meet, above the hair of who is below, if they are there for most of their time', () => {
    const captions = [caption(0, 2), caption(3, 5), caption(4.5, 6)]
    const stage = { fontSize: 40, lineHeight: 1.25, frameHeight: 1280 }
    const placed = betweenHalves(captions, [{ from: 3.5, to: 5 }], stage)
    expect(placed.map(({ top }) => top)).toEqual([undefined, 540, undefined])
  })
})

import { expect, it } from 'vitest'
import { carrySpeech } from '../../../containers/insight/transcribe-video.ts'
import { nothingRemoved } from '../../../containers/timeline/list-cuts.ts'

const frameRate = { frames: 25, seconds: 1 }
const timeline = { frameRate, clipFrames: [150], totalFrames: 150 }
const last = { startTime: 5.2, endTime: 8, text: 'The last words' }
const behind = { startTime: 9, endTime: 10, text: 'Never' }
const speech = { language: 'en', segments: [last, behind] }

it('shows all words of a cue that outlasts the film, until the film ends', () => {
  const cut = { timeline, removed: nothingRemoved, joints: [] }
  expect(carrySpeech(speech, cut, 6).segments).toEqual([{ ...last, endTime: 6 }])
  const early = { from: 25, to: 50 }
  const removed = { ...nothingRemoved, all: [early], asked: [early] }
  expect(carrySpeech(speech, { ...cut, removed }, 5).segments).toEqual([
    { text: last.text, startTime: expect.closeTo(4.2) as unknown, endTime: 5 },
  ])
})

it('takes the words away that lie behind an end that was cut off', () => {
  const end = { from: 140, to: 150 }
  const removed = { ...nothingRemoved, all: [end], asked: [end] }
  const { segments } = carrySpeech(speech, { timeline, removed, joints: [] }, 5.6)
  expect(segments).toEqual([])
})

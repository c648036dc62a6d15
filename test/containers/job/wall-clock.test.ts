import { describe, expect, it } from 'vitest'
import { copyStepMs, leastWallMs, wallMsOf } from '../../../containers/job/wall-clock.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const clip = (durationSeconds: number, video = {}) =>
  openClip('in0', someFacts({ durationSeconds, video }), {})

describe('wallMsOf', () => {
  it('is ten minutes for short clips', () => {
    expect(wallMsOf([clip(59)], 0)).toBe(leastWallMs)
    expect(leastWallMs).toBe(600_000)
  })

  it('is ten times the length of all clips together', () => {
    expect(wallMsOf([clip(100), clip(50)], 0)).toBe(1_500_000)
  })

  it('is longer for pictures larger or faster than 1080p at 30, and for elements', () => {
    expect(wallMsOf([clip(100, { width: 3840, height: 2160, averageFps: 60 })], 0)).toBe(8_000_000)
    expect(wallMsOf([clip(100)], 2)).toBe(3_000_000)
  })
})

describe('copyStepMs', () => {
  it('is five minutes for short films, and as long as a long one plays', () => {
    expect(copyStepMs({ wallMs: wallMsOf([clip(59)], 0) })).toBe(300_000)
    expect(copyStepMs({ wallMs: wallMsOf([clip(7_200)], 0) })).toBe(7_200_000)
  })

  it('is never longer than any program may take', () => {
    expect(copyStepMs({ wallMs: 1_000 })).toBe(1_000)
  })
})

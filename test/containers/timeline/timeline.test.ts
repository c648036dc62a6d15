import { describe, expect, it } from 'vitest'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { timelineOf } from '../../../containers/timeline/timeline.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

describe('timelineOf', () => {
  it('continues under a sound that ends after its picture, but not for the rest of a packet', () => {
    const framesAt = (durationSeconds: number): number =>
      timelineOf([{ facts: someFacts({ durationSeconds }) }]).totalFrames
    expect([framesAt(4.03), framesAt(4.08), framesAt(5)]).toEqual([100, 102, 125])
  })

  it('continues under a longer sound in each of several clips', () => {
    const clips = [{ facts: someFacts({ durationSeconds: 5 }) }, { facts: someFacts() }]
    expect(timelineOf(clips)).toMatchObject({ clipFrames: [125, 100], totalFrames: 225 })
  })

  it('does not wait for a muted sound', () => {
    const clip = openClip('in0', someFacts({ durationSeconds: 5 }), { disableAudio: true })
    expect(timelineOf([clip]).totalFrames).toBe(100)
  })

  it('counts every clip in pictures at the rate of the first one, at least one', () => {
    const clips = [4, 1.01, 0.001].map((seconds) => ({
      facts: someFacts({ durationSeconds: seconds, video: { endSeconds: seconds } }),
    }))
    expect(timelineOf(clips).clipFrames).toEqual([100, 25, 1])
  })
})

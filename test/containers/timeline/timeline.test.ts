import { describe, expect, it } from 'vitest'
import { openClip } from '../../../containers/render/open-clip.ts'
import { timelineOf } from '../../../containers/timeline/timeline.ts'
import { someFacts } from '../support/facts.ts'

describe('timelineOf', () => {
  it('goes on under a sound that ends after its picture, but not for the end of a packet', () => {
    const framesAt = (durationSeconds: number): number =>
      timelineOf([{ facts: someFacts({ durationSeconds }) }]).totalFrames
    expect([framesAt(4.03), framesAt(4.08), framesAt(5)]).toEqual([100, 102, 125])
  })

  it('goes on under the longer sound of each clip of several', () => {
    const clips = [{ facts: someFacts({ durationSeconds: 5 }) }, { facts: someFacts() }]
    expect(timelineOf(clips)).toMatchObject({ clipFrames: [125, 100], totalFrames: 225 })
  })

  it('does not wait for a sound that is not heard', () => {
    const clip = openClip('in0', someFacts({ durationSeconds: 5 }), { disableAudio: true })
    expect(timelineOf([clip]).totalFrames).toBe(100)
  })

  it('counts every clip in pictures of the first one’s rate, one at least', () => {
    const clips = [4, 1.01, 0.001].map((seconds) => ({
      facts: someFacts({ durationSeconds: seconds, video: { endSeconds: seconds } }),
    }))
    expect(timelineOf(clips).clipFrames).toEqual([100, 25, 1])
  })
})

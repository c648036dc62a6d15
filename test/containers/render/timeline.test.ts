import { describe, expect, it } from 'vitest'
import { timelineOf } from '../../../containers/render/timeline.ts'
import { someFacts } from '../support/facts.ts'

describe('timelineOf', () => {
  it('goes on under a sound that ends after its picture, but not for the end of a packet', () => {
    const framesAt = (durationSeconds: number): number =>
      timelineOf([{ facts: someFacts({ durationSeconds }) }]).totalFrames
    expect([framesAt(4.03), framesAt(4.08), framesAt(5)]).toEqual([100, 102, 125])
  })

  it('ends every clip of several with its picture', () => {
    const clips = [{ facts: someFacts({ durationSeconds: 5 }) }, { facts: someFacts() }]
    expect(timelineOf(clips).clipFrames).toEqual([100, 100])
  })
})

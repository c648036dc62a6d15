import { describe, expect, it } from 'vitest'
import { decideJoints, keptPieces, placedJoints } from '../../../containers/timeline/joints.ts'
import { nothingRemoved, secondsLeft } from '../../../containers/timeline/list-cuts.ts'
import type { Transition } from '../../../worker/contract/options/picture/transition.ts'

const timeline = {
  frameRate: { frames: 25, seconds: 1 },
  clipFrames: [100, 50, 100],
  totalFrames: 250,
}
const crossfade = (duration: number): Transition => ({ type: 'crossfade', duration })

type Asked = { transitions?: (Transition | undefined)[]; cutTransition?: Transition }

function decide(
  removed: readonly { from: number; to: number }[],
  { transitions = [], cutTransition }: Asked,
) {
  const clips = timeline.clipFrames.map((_, i) => {
    const transition = transitions[i]
    return { asked: transition ? { transition } : {} }
  })
  return decideJoints({ timeline, removed, clips, cutTransition, mostFrames: 1_000 })
}

describe('decideJoints', () => {
  it('lets clips lead into each other where they ask for it, and makes the film as much shorter', () => {
    const { joints, warnings } = decide([], { transitions: [crossfade(0.4), crossfade(1)] })
    expect(joints).toMatchObject([
      { from: 100, to: 100, frames: 10, type: 'crossfade' },
      { from: 150, to: 150, frames: 25 },
    ])
    expect(warnings).toEqual([])
    const cut = { timeline, removed: nothingRemoved, joints }
    expect(secondsLeft(cut)).toBe((250 - 35) / 25)
    expect(keptPieces(cut)).toEqual([
      { from: 0, to: 100, overlap: 0 },
      { from: 100, to: 150, overlap: 10 },
      { from: 150, to: 250, overlap: 25 },
    ])
    expect(placedJoints(cut).map(({ at }) => at)).toEqual([90, 115])
  })

  it('takes that of the clip before that of the cuts, where both meet', () => {
    const removed = [
      { from: 20, to: 30 },
      { from: 90, to: 110 },
      { from: 140, to: 160 },
    ]
    const { joints } = decide(removed, {
      transitions: [{ type: 'none', duration: 0.5 }],
      cutTransition: { type: 'fade', duration: 0.2, color: '#ffffff' },
    })
    expect(joints).toEqual([
      { from: 20, to: 30, frames: 5, type: 'fade', color: '#ffffff' },
      { from: 140, to: 160, frames: 5, type: 'fade', color: '#ffffff' },
    ])
  })

  it('says so where nothing is cut that a transition could lead across', () => {
    const { joints, warnings } = decide([{ from: 0, to: 30 }], { cutTransition: crossfade(1) })
    expect(joints).toEqual([])
    expect(warnings).toEqual([
      'cutTransition: nothing is cut out between two kept parts, so this did nothing.',
    ])
  })

  it('says so where the transition of the clip before counts at each cut', () => {
    const asked = { transitions: [crossfade(0.4)], cutTransition: crossfade(1) }
    const { joints, warnings } = decide([{ from: 90, to: 110 }], asked)
    expect(joints).toMatchObject([{ from: 90, to: 110, frames: 10 }])
    expect(warnings).toEqual([
      'cutTransition: what is cut out lies only where a clip ends whose own transition counts, so this did nothing.',
    ])
  })

  it('shortens transitions that would overlap, says so, and leaves out those without any room', () => {
    const removed = [
      { from: 10, to: 20 },
      { from: 26, to: 40 },
      { from: 41, to: 60 },
    ]
    const { joints, warnings } = decide(removed, { cutTransition: crossfade(0.4) })
    // Six pictures are kept between the first two cuts, and one between the other two.
    expect(joints.map(({ from, frames }) => [from, frames])).toEqual([[10, 3]])
    expect(warnings).toEqual([
      'cutTransition: 3 of 3 transitions are shorter than 0.4 s: too little is kept beside it.',
    ])
  })
})

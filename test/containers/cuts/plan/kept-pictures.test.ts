import { describe, expect, it } from 'vitest'
import {
  keptParts,
  shownPictures,
  timeInResult,
} from '../../../../containers/cuts/plan/kept-pictures.ts'
import { aPacking, groupsOf } from '../../../support/containers/films/a-packing.ts'

const rate = { frames: 25, seconds: 1 }

function partsOf(packing: ReturnType<typeof aPacking>, kept: { from: number; to: number }[]) {
  const shown = shownPictures(packing)
  const parts = keptParts(packing, shown, kept, { frameRate: rate, clipStarts: [0] })
  const times = parts.map((part) =>
    Array.from({ length: part.to - part.from }, (_, i) =>
      Number(timeInResult(packing, shown, part, part.from + i).toFixed(4)),
    ),
  )
  return { parts, times }
}

describe('keptParts', () => {
  it('keeps the pictures whose steps are kept, whatever the order they are stored in', () => {
    const { parts, times } = partsOf(groupsOf([0, 3, 1, 2], 2), [
      { from: 0, to: 2 },
      { from: 5, to: 8 },
    ])
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [5, 8],
    ])
    expect(times).toEqual([
      [0, 0.04],
      [0.08, 0.12, 0.16],
    ])
  })

  it('keeps the times of a variable rate', () => {
    const at = [0, 0.045, 0.078, 0.121, 0.158, 0.21]
    const { times } = partsOf(aPacking(at.map((time) => ({ at: time }))), [{ from: 2, to: 5 }])
    // The first one comes slightly before the step that it belongs to.
    expect(times).toEqual([[0, 0.041, 0.078]])
  })

  it('shows a picture that stands when a cut ends from there on', () => {
    const { parts, times } = partsOf(aPacking([{ at: 0 }, { at: 2 }, { at: 2.04 }]), [
      { from: 25, to: 52 },
    ])
    expect(parts).toMatchObject([{ from: 0, to: 3, isHeld: true }])
    expect(times).toEqual([[0, 1, 1.04]])
  })

  it('does not show a picture again that still stands after a cut', () => {
    const { times } = partsOf(aPacking([{ at: 0 }, { at: 2 }, { at: 2.04 }]), [
      { from: 0, to: 10 },
      { from: 25, to: 52 },
    ])
    expect(times).toEqual([[0], [1.4, 1.44]])
  })

  it.each([
    ['it comes late', [0.2, 0.24], [{ from: 0, to: 7 }], [[0, 0.24]]],
    ['it comes a little after the sound', [0.014, 0.054], [{ from: 0, to: 2 }], [[0, 0.054]]],
    [
      'everything before it is cut or empty',
      [0.4, 0.44, 0.48],
      [
        { from: 0, to: 4 },
        { from: 8, to: 13 },
      ],
      [[], [0, 0.28, 0.32]],
    ],
  ])('shows the first picture from the beginning, even if %s', (_, pictures, kept, expected) => {
    const packing = aPacking(pictures.map((at) => ({ at })))
    expect(partsOf(packing, kept).times).toEqual(expected)
  })

  it('leaves out what an edit list hides', () => {
    const hidden = [{ at: -0.04, isHidden: true }, { at: 0 }, { at: 0.04 }]
    expect([...shownPictures(aPacking(hidden)).packets]).toEqual([1, 2])
  })
})

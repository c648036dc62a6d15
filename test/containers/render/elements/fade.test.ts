import { describe, expect, it } from 'vitest'
import { easingCurves, fadeLevel } from '../../../../containers/render/elements/fade.ts'

const tenths = Array.from({ length: 11 }, (_, i) => i / 10)

it('easingCurves follow their definitions', () => {
  for (const t of tenths) {
    expect(easingCurves.linear(t)).toBeCloseTo(t)
    expect(easingCurves['ease-in'](t)).toBeCloseTo(t ** 2)
    expect(easingCurves['ease-out'](t)).toBeCloseTo(1 - (1 - t) ** 2)
    const both = t < 0.5 ? 2 * t ** 2 : 1 - 2 * (1 - t) ** 2
    expect(easingCurves['ease-in-out'](t)).toBeCloseTo(both)
  }
})

describe('fadeLevel', () => {
  const fadeIn = { duration: 2, easing: 'ease-in' } as const
  const fadeOut = { duration: 1, easing: 'ease-in' } as const

  it('rises, holds and falls', () => {
    const fades = { seconds: 10, fadeIn, fadeOut }
    const levels = [0, 1, 2, 5, 9, 9.5, 10].map((at) => fadeLevel(fades, at))
    expect(levels).toEqual([0, 0.25, 1, 1, 1, 0.75, 0])
  })

  it('multiplies overlapping fades, and cuts off a fade that is too long', () => {
    const overlapping = { seconds: 2, fadeIn, fadeOut: { duration: 2 } }
    expect(fadeLevel(overlapping, 1)).toBeCloseTo(0.25 * 0.5)
    const long = { seconds: 1, fadeIn: { duration: 4 }, fadeOut: undefined }
    expect(fadeLevel(long, 1)).toBeCloseTo(0.25)
  })

  it('is visible at once if the fade takes no time', () => {
    const none = { seconds: 2, fadeIn: { duration: 0 }, fadeOut: { duration: 0 } }
    expect([0, 1.99].map((at) => fadeLevel(none, at))).toEqual([1, 1])
  })
})

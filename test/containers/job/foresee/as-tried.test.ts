import { expect, it } from 'vitest'
import { asTried } from '../../../../containers/job/foresee/as-tried.ts'
import { work } from '../../../../containers/job/report/work-kinds.ts'

const ahead = { rendering: work('encoding mp4', 85), checking: work('checking', 10) }

it('believes a trial of this footage more than past jobs, the more exact it is', () => {
  const past = { ms: 1_000, spread: 0.4 }
  const unitsFor = (spread: number) =>
    asTried(ahead, { run: { ms: 2_000, spread }, runs: 1 }, past).rendering?.units ?? 0
  expect(unitsFor(0.01)).toBeCloseTo(200, 0)
  expect(unitsFor(0.4)).toBeCloseTo(100 * Math.SQRT2, 0)
  expect(unitsFor(20)).toBeCloseTo(100, 0)
})

it('changes the look at the pictures like their encode, and leaves other work as it is', () => {
  const looking = work('encoding mp4', 35)
  const slower = { run: { ms: 500, spread: 0.1 }, runs: 1 }
  const tried = asTried({ ...ahead, looking }, slower, { ms: 1_000, spread: 0.4 })
  expect((tried.looking?.units ?? 0) / looking.units).toBeCloseTo(
    (tried.rendering?.units ?? 0) / ahead.rendering.units,
  )
  expect(tried.checking).toBe(ahead.checking)
  expect(tried.rendering?.spread).toBeLessThan(0.1)
})

it('counts as many encodes as the trial tells', () => {
  const past = { ms: 1_000, spread: 0.4 }
  const run = { ms: 1_000, spread: 0.1 }
  const usual = { ...ahead, runs: work('runs') }
  const once = asTried(usual, { run, runs: 1 }, past)
  const thrice = asTried(usual, { run, runs: 3 }, past)
  expect((thrice.rendering?.units ?? 0) / (once.rendering?.units ?? 1)).toBeCloseTo(3)
  expect(thrice.runs).toBeUndefined()
  expect(asTried(usual, { run, runs: undefined }, past).runs).toBe(usual.runs)
})

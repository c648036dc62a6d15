import { expect, it } from 'vitest'
import { faultAt } from '../../../../../containers/job/check/shown/check-shown.ts'

const grid = { width: 20, height: 10 }
const cells = grid.width * grid.height

/** Grey pictures with stripes, each brighter than the one before by so much in the mean. */
function brightening(steps: readonly number[]): Buffer[] {
  let brighter = new Array<number>(cells).fill(0)
  const begin = brighter
  const all = steps.map((step) => {
    const rest = Math.round((step % 1) * cells)
    brighter = brighter.map((one, cell) => one + Math.floor(step) + (cell < rest ? 1 : 0))
    return brighter
  })
  return [begin, ...all].map((one) => {
    const brightness = one.map((by, cell) => (cell % 4 < 2 ? 60 : 120) + by)
    return Buffer.concat([Buffer.from(brightness), Buffer.alloc(2 * cells, 128)])
  })
}

it('takes pictures that hardly differ in the plan for none that come twice', () => {
  const planned = brightening([9, 0.9, 9, 0.95, 9])
  expect(faultAt({ grid, film: brightening([9, 0.8, 9, 0.8, 9]), planned })).toBeUndefined()
  const steady = brightening([9, 9, 9, 9, 9])
  const film = steady.map((_, i) => steady[i - (i % 2)] ?? Buffer.alloc(0))
  expect(faultAt({ grid, film, planned: steady })?.what).toBe('Its pictures come twice')
})

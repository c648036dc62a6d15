import { expect, it } from 'vitest'
import { leftText } from '../../../../client/src/cli/terminal/quantities.ts'

it('says how long something still takes as exactly as a person would', () => {
  const said = [0, 0.4, 8.2, 43, 58, 100, 283, 290, 1_234, 3_590, 8_000].map((secondsLeft) =>
    leftText({ secondsLeft }),
  )
  expect(said).toEqual([
    'about 1 s left',
    'about 1 s left',
    'about 9 s left',
    'about 45 s left',
    'about 1 min left',
    'about 1 min 30 s left',
    'about 4 min 30 s left',
    'about 5 min left',
    'about 21 min left',
    'about 1 h left',
    'about 2 h 15 min left',
  ])
  expect(leftText({})).toBeUndefined()
})

it('says the range while it is wide, and counts down what was told some time ago', () => {
  const told = { secondsLeft: 40, secondsLeftRange: { least: 20, most: 130 } }
  expect(leftText(told)).toBe('20 s to 2 min left')
  expect(leftText(told, 15)).toBe('5 s to 2 min left')
  expect(leftText({ ...told, secondsLeftRange: { least: 30, most: 55 } })).toBe('about 40 s left')
})

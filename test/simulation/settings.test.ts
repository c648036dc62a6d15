import { expect, it } from 'vitest'
import { seedsOf } from '../../simulation/runs/run-side-by-side.ts'
import { readSettings } from '../../simulation/runs/settings.ts'

const seedsIn = (...args: string[]) => seedsOf(readSettings(args))

it('runs as many seeds as were asked for, also within a time', () => {
  expect([...seedsIn('--seed', '7')]).toEqual([7])
  expect([...seedsIn('--seed', '7', '--seeds', '3')]).toEqual([7, 8, 9])
  expect([...seedsIn('--seed', '7', '--seeds', '3', '--minutes', '9')]).toEqual([7, 8, 9])
})

it('goes on with further seeds where only a time was given', () => {
  let last = 0
  for (const seed of seedsIn('--seed', '7', '--minutes', '9')) {
    last = seed
    if (seed > 50) break
  }
  expect(last).toBe(51)
})

import { expect, it } from 'vitest'
import { checkBlack } from '../../../../containers/job/check/check-pictures.ts'

const bytes = 32 * 18 * 3
const [black, gray] = [Buffer.alloc(bytes), Buffer.alloc(bytes, 128)]
const pictures = (dark: number, bright: number) => [
  ...Array.from({ length: dark }, () => black),
  ...Array.from({ length: bright }, () => gray),
]

it('compares black pictures with those that the source shows then, at another rate', () => {
  const stretch = { from: 0, to: 1 }
  const film = pictures(20, 0)
  const check = (source: readonly Buffer[]) => checkBlack([{ stretch, film, source }])
  // The source has twice the pictures, and is black for less than a third of the time.
  expect(check(pictures(12, 28))).toMatchObject({ name: 'black', result: 'failed' })
  expect(check(pictures(36, 4))).toMatchObject({ result: 'passed' })
})

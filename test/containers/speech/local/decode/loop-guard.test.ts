import { describe, expect, it } from 'vitest'
import {
  beforeLoop,
  certain,
  findLoop,
  isThin,
  suspicious,
} from '../../../../../containers/speech/local/decode/loop-guard.ts'

describe('findLoop', () => {
  it('finds nothing in ordinary speech', () => {
    expect(findLoop([5, 6, 7, 5, 6, 8, 5, 9], suspicious)).toBeUndefined()
    expect(findLoop([], suspicious)).toBeUndefined()
  })

  it('allows a word to be repeated a few times', () => {
    expect(findLoop([4, 9, 9, 9, 9, 5], suspicious)).toBeUndefined()
    expect(findLoop([4, 9, 9, 9, 9, 9, 5], suspicious)).toEqual({ start: 1, length: 1 })
    expect(findLoop([4, 9, 9, 9, 9, 9, 5], certain)).toBeUndefined()
  })

  it('finds a phrase that repeats itself', () => {
    expect(findLoop([1, 2, 3, 2, 3, 2, 3, 8], suspicious)).toEqual({ start: 1, length: 2 })
    expect(findLoop([1, 2, 3, 2, 3, 2, 3, 8], certain)).toBeUndefined()
    expect(findLoop([1, 2, 3, 2, 3, 2, 3, 2, 3], certain)).toEqual({ start: 1, length: 2 })
  })

  it('finds a sentence said twice in a row', () => {
    const sentence = [11, 12, 13, 14, 15, 16]
    expect(findLoop([...sentence, ...sentence], suspicious)).toEqual({ start: 0, length: 6 })
  })
})

it('beforeLoop keeps the phrase once', () => {
  expect(beforeLoop([1, 2, 3, 2, 3, 2, 3, 2, 3, 7])).toEqual([1, 2, 3])
  expect(beforeLoop([1, 2, 3])).toEqual([1, 2, 3])
})

it('isThin judges only texts that are long enough', () => {
  expect(isThin(0, 2.9)).toBe(false)
  expect(isThin(2, 3)).toBe(true)
  expect(isThin(3, 3)).toBe(false)
})

import { expect, it } from 'vitest'
import { wordDistance } from '../../../../containers/speech/local/moonshine/language-score.ts'

const distance = (one: string, other: string) => wordDistance(one.split(' '), other.split(' '))

it('wordDistance counts words that are inserted, left out and replaced', () => {
  expect(distance('the cat sat', 'the cat sat')).toBe(0)
  expect(distance('the cat sat', 'the black cat sat down')).toBe(2)
  expect(distance('the cat sat', 'cat sat')).toBe(1)
  expect(distance('the cat sat', 'the dog ran')).toBe(2)
  expect(wordDistance([], ['one', 'two'])).toBe(2)
})

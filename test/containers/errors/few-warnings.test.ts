import { expect, it } from 'vitest'
import { warningsOfResults } from '../../../containers/errors/few-warnings.ts'

it('says once what several results were warned of, with the names of all of them', () => {
  const results = [
    { name: 'tall', warnings: ['bleep[0]: “damn” was not heard.', 'Its captions are small.'] },
    { name: 'sound', warnings: ['bleep[0]: “damn” was not heard.'] },
    { name: 'still', warnings: [] },
  ]
  expect(warningsOfResults(results)).toEqual([
    'outputs (tall, sound): bleep[0]: “damn” was not heard.',
    'outputs (tall): Its captions are small.',
  ])
})

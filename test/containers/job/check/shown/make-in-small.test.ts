import { expect, it } from 'vitest'
import { complaintsIn } from '../../../../../containers/job/check/shown/make-in-small.ts'

it.each([
  ['[gif @ 0x55a5] invalid block label\n    Last message repeated 2 times\n', []],
  ['[h264 @ 0x55a5] no frame!\n', ['[h264 @ 0x55a5] no frame!']],
])('takes a complaint about a GIF for none about the film: %j', (stderr, expected) => {
  expect(complaintsIn(stderr)).toEqual(expected)
})

import { describe, expect, it } from 'vitest'
import { readRetryAfter } from '../../worker/contract/answers/retry-after.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

describe('readRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
  ])('takes %j for %d milliseconds', (header, milliseconds) => {
    expect(readRetryAfter(header, now)).toBe(milliseconds)
  })

  it.each([null, '', '-5', '1,5', '2026-03-02', 'soon', '99999999999999'])(
    'ignores %j',
    (header) => {
      expect(readRetryAfter(header, now)).toBeUndefined()
    },
  )
})

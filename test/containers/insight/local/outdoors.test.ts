import { describe, expect, it } from 'vitest'
import { isOutdoors } from '../../../../containers/insight/local/outdoors.ts'

describe('isOutdoors', () => {
  it('requires that most pictures look like it, and that all of them together leave no doubt', () => {
    expect(isOutdoors([2.4, 2.1, 1.9])).toBe(true)
    expect(isOutdoors([1.9, 1.9, 1.9])).toBe(false)
    expect(isOutdoors([9, 9, 0.2, 0.2])).toBe(false)
    expect(isOutdoors([5, 4, 3, 0.2])).toBe(true)
    expect(isOutdoors([])).toBe(false)
  })
})

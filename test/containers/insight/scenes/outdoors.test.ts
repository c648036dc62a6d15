import { describe, expect, it } from 'vitest'
import { isOutdoors } from '../../../../containers/insight/scenes/outdoors.ts'

describe('isOutdoors', () => {
  it('needs most pictures to look like it, and all of them together to leave no doubt', () => {
    expect(isOutdoors([2.4, 2.1, 1.9])).toBe(true)
    expect(isOutdoors([1.9, 1.9, 1.9])).toBe(false)
    expect(isOutdoors([9, 9, 0.2, 0.2])).toBe(false)
    expect(isOutdoors([5, 4, 3, 0.2])).toBe(true)
    expect(isOutdoors([])).toBe(false)
  })
})

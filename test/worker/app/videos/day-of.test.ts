import { describe, expect, it } from 'vitest'
import { dayOf, readZone } from '../../../../worker/app/videos/list/day-of.ts'

const now = Date.parse('2026-11-24T01:30:00Z')

describe('the day of a video', () => {
  it('is called as people call it', () => {
    const days = ['2026-11-24T00:10:00Z', '2026-11-23T23:50:00Z', '2026-11-22T12:00:00Z']
    expect(days.map((at) => dayOf(Date.parse(at), now, 'UTC'))).toEqual([
      'Today',
      'Yesterday',
      'Sunday 22 November',
    ])
    expect(dayOf(Date.parse('2025-11-22T12:00:00Z'), now, 'UTC')).toBe('Saturday 22 November 2025')
  })

  it('is that of the place where the browser is', () => {
    expect(dayOf(Date.parse('2026-11-23T23:50:00Z'), now, 'Asia/Tokyo')).toBe('Today')
    expect(dayOf(now, now + 3_600_000 * 5, 'America/New_York')).toBe('Yesterday')
  })

  it('is that of UTC for a browser that says nothing, or nonsense', () => {
    expect(readZone(undefined)).toBe('UTC')
    expect(readZone('Moon/Far_Side')).toBe('UTC')
    expect(readZone('Europe/Berlin')).toBe('Europe/Berlin')
  })
})

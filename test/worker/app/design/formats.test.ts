import { describe, expect, it } from 'vitest'
import {
  formatSeconds,
  formatTimecode,
  formatAge,
  formatBytes,
  formatCount,
} from '../../../../worker/app/design/formats.ts'

const now = Date.UTC(2026, 10, 22, 12)

describe('what people read', () => {
  it.each([
    [0, 'just now'],
    [44_000, 'just now'],
    [45_000, '1 min ago'],
    [119_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [86_399_000, '23 h ago'],
    [86_400_000 * 29, '29 d ago'],
    [86_400_000 * 30, '2026-10-23'],
    [-60_000, 'in 1 min'],
    [-1000, 'in a moment'],
  ])('%i ms ago: %s', (ms, text) => {
    expect(formatAge(now - ms, now)).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [0.42, '0.4 s'],
    [9.96, '10 s'],
    [38.2, '38 s'],
    [59.6, '1 min'],
    [72, '1 min 12 s'],
    [7500, '2 h 5 min'],
    [3600, '1 h'],
  ])('%f seconds: %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text)
  })

  it.each([
    [0, '0:00'],
    [38.9, '0:38'],
    [725, '12:05'],
    [3723, '1:02:03'],
  ])('at %f seconds: %s', (seconds, text) => {
    expect(formatTimecode(seconds)).toBe(text)
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [4_240_000, '4.2 MB'],
    [48_300_000, '48 MB'],
    [999_600_000, '1 GB'],
    [2_147_483_648, '2.1 GB'],
  ])('%i bytes: %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('counts things', () => {
    expect(formatCount(1, 'video')).toBe('1 video')
    expect(formatCount(12_000, 'video')).toBe('12,000 videos')
  })
})

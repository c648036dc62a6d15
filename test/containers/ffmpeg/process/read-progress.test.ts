import { describe, expect, it } from 'vitest'
import {
  progressReader,
  type FfmpegProgress,
} from '../../../../containers/ffmpeg/process/read-progress.ts'

const block = (frame: number, us: number | string): string =>
  `frame=${frame}\nfps=25.0\ntotal_size=48\nout_time_us=${us}\nspeed=1x\nprogress=continue\n`

describe('progressReader', () => {
  it('reads reports, however the chunks are split', () => {
    const seen: FfmpegProgress[] = []
    const read = progressReader(1_000, (progress) => seen.push(progress))
    const text = block(25, 1_000_000) + block(50, 2_000_000)
    for (const chunk of text.match(/.{1,7}/gs) ?? []) read(chunk)
    expect(seen.map(({ outSeconds, frames }) => [outSeconds, frames])).toEqual([
      [1, 25],
      [2, 50],
    ])
  })

  it('skips values that ffmpeg does not know yet', () => {
    const seen: FfmpegProgress[] = []
    const read = progressReader(1_000, (progress) => seen.push(progress))
    read(block(0, 'N/A'))
    read(block(0, -9_223_372_036_854_775_807))
    expect(seen.map(({ outSeconds }) => outSeconds)).toEqual([0, 0])
  })

  it('counts reports without progress as signs of life for ten times the stall limit, and no longer', () => {
    let now = 0
    const read = progressReader(
      1_000,
      () => undefined,
      () => now,
    )
    expect(read(block(0, 0))).toBe(true)
    now = 9_999
    expect(read(block(0, 0))).toBe(true)
    now = 10_001
    expect(read(block(0, 0))).toBe(false)
    expect(read(block(1, 40_000))).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { PacketStatistics } from '../../../../containers/ffmpeg/probe/packet-statistics.ts'

type Given = readonly (readonly [pts: number, duration?: number])[]

function statisticsOf(packets: Given): PacketStatistics {
  const statistics = new PacketStatistics()
  for (const [pts, duration] of packets) {
    statistics.add({ pts, dts: undefined, duration, isDiscarded: false })
  }
  return statistics
}

const steady = (count: number, step: number) =>
  Array.from({ length: count }, (_, i): [number, number] => [i * step, step])

describe('PacketStatistics', () => {
  it('finds a steady rate and the end', () => {
    const found = statisticsOf(steady(1_000, 0.04))
    expect(found.end).toBeCloseTo(40, 6)
    expect(found.rhythm).toMatchObject({ pictures: 1_000, isSteady: true, hasGaps: false })
    expect(found.rhythm?.usualSeconds).toBeCloseTo(0.04, 6)
  })

  it('reorders pictures that are stored in decoding order', () => {
    const decoded = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11].map((i): [number] => [i / 30])
    expect(statisticsOf(decoded).rhythm).toMatchObject({ pictures: 13, isSteady: true })
  })

  it('takes the median of all steps, whatever the longest is', () => {
    const paused = steady(500, 0.02).map(([at]): [number] => [at > 5 ? at + 60 : at])
    const { rhythm } = statisticsOf(paused)
    expect(rhythm).toMatchObject({ isSteady: false, hasGaps: true })
    expect(rhythm?.usualSeconds).toBeCloseTo(0.02, 6)
  })

  it('takes film that is spread over fields by repeating them at its own rate', () => {
    const fields = Array.from({ length: 48 }, (_, i) => Math.floor(i / 2) * 5 + (i % 2) * 2)
    const pulledDown = fields.map((field): [number] => [(field * 1001) / 60_000])
    expect(statisticsOf(pulledDown).rhythm?.usualSeconds).toBeCloseTo(1001 / 24_000, 6)
    const phone = fields.map((_, i): [number] => [(i * 1001) / 30_000 + (i > 20 ? 0.0167 : 0)])
    expect(statisticsOf(phone).rhythm?.usualSeconds).toBeCloseTo(1001 / 30_000, 3)
  })

  it('gives a last packet without a length the usual length', () => {
    expect(statisticsOf([[0], [0.1], [0.2], [0.3]]).end).toBeCloseTo(0.4, 6)
  })

  it('gives no rhythm for one picture or none', () => {
    expect(statisticsOf([[0, 1]]).rhythm).toBeUndefined()
    expect(statisticsOf([]).rhythm).toBeUndefined()
  })

  it('holds two million packets in a fixed amount of memory', () => {
    const statistics = new PacketStatistics()
    for (let i = 0; i < 50_000; i++) add(statistics, i)
    global.gc?.()
    const before = process.memoryUsage().heapUsed
    for (let i = 50_000; i < 2_000_000; i++) add(statistics, i)
    expect(statistics.rhythm).toMatchObject({ pictures: 2_000_000, isSteady: true })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 ** 2)
  })
})

function add(statistics: PacketStatistics, i: number): void {
  statistics.add({ pts: i / 600, dts: undefined, duration: 1 / 600, isDiscarded: false })
}

import { describe, expect, it } from 'vitest'
import type { CommandTrace } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { recordTrace } from '../../../../containers/job/report/attempt-trace.ts'

const command = (chars: number): CommandTrace => ({
  program: 'ffmpeg',
  args: ['x'.repeat(chars)],
  durationMs: 1,
  exitCode: 0,
})

describe('recordTrace', () => {
  it('keeps the commands of a job in the order they ran', () => {
    const trace = recordTrace()
    trace.command(command(1))
    trace.command(command(2))
    expect(trace.finish().commands).toEqual([command(1), command(2)])
  })

  it('stays small enough for a report, however many commands there are and however long', () => {
    const many = recordTrace()
    for (let i = 0; i < 1000; i++) many.command(command(10))
    expect(many.finish().commands).toHaveLength(250)
    const long = recordTrace()
    for (let i = 0; i < 250; i++) long.command(command(40_000))
    const { length } = JSON.stringify(long.finish())
    expect(length).toBeGreaterThan(700_000)
    expect(length).toBeLessThan(900_000)
  })

  it('lists the phases by their start, including one that failed', async () => {
    let now = 1_000
    const trace = recordTrace(() => now)
    let end = (): void => undefined
    const beside = trace.phase('transcribing', async () => new Promise<void>((r) => (end = r)))
    now = 2_000
    const failing = trace.phase('rendering', async () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    now = 5_000
    end()
    await beside
    expect(trace.finish().phases).toEqual([
      { name: 'transcribing', startedAt: '1970-01-01T00:00:01.000Z', durationMs: 4_000 },
      { name: 'rendering', startedAt: '1970-01-01T00:00:02.000Z', durationMs: 0 },
    ])
  })
})

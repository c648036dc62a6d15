import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runTool } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { JobError } from '../../../../containers/errors/job-error.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

/** Writes progress until it is ended. */
const endless = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc', '-progress', 'pipe:1'],
  ...['-stats_period', '0.1', '-f', 'null', '-'],
]

/** Those that this process has started itself. */
function startedFfmpegs(): number[] {
  const threads = readdirSync('/proc/self/task')
  const texts = threads.map((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8'))
  const children = texts.flatMap((text) => text.split(' ').filter(Boolean))
  return children
    .filter((id) => readFileSync(`/proc/${id}/comm`, 'utf8') === 'ffmpeg\n')
    .map(Number)
}

describe('runTool', () => {
  it('ends a program when its time is over, even if it is busy', async () => {
    const tools = await aToolContext()
    const limits = { ...tools.limits, wallMs: 1_000 }
    await expect(
      runTool({ ...tools, limits }, 'ffmpeg', endless, () => true),
    ).rejects.toMatchObject({
      reason: 'out_of_time',
      retryable: false,
      message: 'Processing took too long: one step of it (ffmpeg) was ended after 1 seconds.',
    })
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'tells another attempt to try if somebody else ends a program by %s',
    async (signal) => {
      const tools = await aToolContext()
      const runs = runTool(tools, 'ffmpeg', endless, () => {
        for (const pid of startedFfmpegs()) process.kill(pid, signal)
        return true
      })
      await expect(runs).rejects.toMatchObject({ reason: 'out_of_resources', retryable: true })
    },
  )

  it('ends a program whose reader throws, with the error of the reader', async () => {
    const tools = await aToolContext()
    const enough = new JobError('source_too_large', 'enough')
    const reading = runTool(tools, 'ffmpeg', endless, () => {
      throw enough
    })
    await expect(reading).rejects.toBe(enough)
    expect(tools.commands).toHaveLength(1)
  })

  it('does not count the time in which a program waits for its reader', async () => {
    const tools = await aToolContext()
    const limits = { ...tools.limits, wallMs: 1_000 }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const pictures = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=duration=1',
      '-f',
      'rawvideo',
      '-',
    ]
    let pieces = 0
    const reader = async (): Promise<void> => {
      pieces += 1
      await vi.advanceTimersByTimeAsync(600)
    }
    const run = await runTool({ ...tools, limits }, 'ffmpeg', pictures, () => true, reader)
    expect(run.exitCode).toBe(0)
    expect(pieces).toBeGreaterThan(10)
  })
})

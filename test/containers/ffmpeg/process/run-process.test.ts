import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { unconfined } from '../../../../containers/confine/confinement.ts'
import {
  runProcess,
  type ProcessRequest,
} from '../../../../containers/ffmpeg/process/run-process.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

async function run(script: string, changes: Partial<ProcessRequest> = {}) {
  return runProcess({
    program: 'bash',
    args: ['-c', script],
    cwd: await aFolder(),
    signal: new AbortController().signal,
    confinement: unconfined,
    limits: { memoryBytes: 1024 ** 3 },
    onStdout: () => true,
    ...changes,
  })
}

async function isAlive(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat !== undefined && !stat.includes(') Z ')
}

describe('runProcess', () => {
  it('returns how the process ended and its last output', async () => {
    const result = await run('echo oops >&2; exit 3')
    expect(result).toMatchObject({ exitCode: 3, termination: undefined, stderrTail: 'oops\n' })
  })

  it('keeps only the end of a flood of messages', async () => {
    const { stderrTail } = await run('yes 0123456789 | head -c 3000000 >&2; echo the end >&2')
    expect(stderrTail.length).toBeLessThanOrEqual(8_192)
    expect(stderrTail.endsWith('the end\n')).toBe(true)
  })

  it('gives the process nothing of our environment', async () => {
    const seen: string[] = []
    process.env['MEDIA_WORKER_TOKEN_OF_TEST'] = 'secret'
    await run('env', { onStdout: (chunk) => seen.push(chunk) > 0 })
    expect(seen.join('')).not.toContain('secret')
  })

  it('hands out bytes one after the other, and the last ones before it returns, also of a process that has ended', async () => {
    let [taken, busy, most] = [0, 0, 0]
    let pid: string | undefined
    await run('printf "%08d" $$; head -c 100000 /dev/zero', {
      onBytes: async (bytes) => {
        most = Math.max(most, ++busy)
        const own = (pid ??= bytes.subarray(0, 8).toString().replace(/^0+/, ''))
        await eventually(async () => expect(await isAlive(own)).toBe(false))
        taken += bytes.length
        busy--
      },
    })
    expect({ taken, most }).toEqual({ taken: 100_008, most: 1 })
  })

  it('kills a process that ignores SIGTERM, with all its children, when aborted', async () => {
    const controller = new AbortController()
    const pids: string[] = []
    const result = await run('trap "" TERM; sleep 600 & echo $! $$; wait; wait; sleep 600', {
      signal: controller.signal,
      onStdout: (chunk) => {
        pids.push(...chunk.trim().split(' '))
        controller.abort()
        return true
      },
    })
    expect(result).toMatchObject({ termination: 'aborted', signal: 'SIGKILL' })
    expect(pids).toHaveLength(2)
    // They have closed all they had open; a busy machine may take a moment more to bury them.
    await eventually(async () => {
      expect(await Promise.all(pids.map(isAlive))).toEqual([false, false])
    })
  })

  it('ends a process that shows no sign of life', async () => {
    const limits = { memoryBytes: 1024 ** 3, stallMs: 100 }
    expect(await run('echo; exec sleep 600', { limits })).toMatchObject({ termination: 'stalled' })
  })

  it('ends a process that uses too much memory', async () => {
    const limits = { memoryBytes: 50_000_000, memoryPollMs: 20 }
    const hog = 'a=$(head -c 100000000 /dev/zero | tr "\\0" x); sleep 600'
    expect(await run(hog, { limits })).toMatchObject({ termination: 'out_of_memory' })
  })

  it('keeps the first reason if several apply', async () => {
    const controller = new AbortController()
    const stalled = run('echo; exec sleep 600', {
      signal: controller.signal,
      limits: { memoryBytes: 1024 ** 3, stallMs: 100 },
    })
    const result = await stalled.finally(() => controller.abort())
    expect(result.termination).toBe('stalled')
  })
})

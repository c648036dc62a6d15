import { describe, expect, it } from 'vitest'
import { runUntilStopped } from '../../../scripts/machine/run-until-stopped.ts'

describe('runUntilStopped', () => {
  it('ends with 130 after Ctrl-C, whether the command then fails or not', async () => {
    const { signal } = new AbortController()
    const stop = AbortSignal.abort()
    const failing = async () => Promise.reject(new Error('ffmpeg ended with 255'))
    expect(await runUntilStopped(failing, stop)).toBe(130)
    expect(await runUntilStopped(async () => 0, stop)).toBe(130)
    expect(await runUntilStopped(async () => 1, signal)).toBe(1)
  })

  it('hides no fault of a command that nobody stopped', async () => {
    const { signal } = new AbortController()
    const failing = async () => Promise.reject(new Error('no such file'))
    await expect(runUntilStopped(failing, signal)).rejects.toThrow('no such file')
  })
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { duringPause } from '../../../scripts/backup/pause-service.ts'
import { identify, isStopped } from '../../../scripts/machine/process-table.ts'
import { aProgram, hasEnded } from '../../support/scripts/sleeper.ts'
import { eventually } from '../../support/node/eventually.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

/** A program, and a child of it in the same group, each of which writes to its file as often as it can. */
async function twoWriters() {
  const folder = temporaryDirectory()
  const files = ['parent', 'child'].map((name) => path.join(folder, name))
  const [parent = '', child = ''] = files.map((file) => {
    const write = `require('fs').appendFileSync(${JSON.stringify(file)}, 'x')`
    return `${write}; setInterval(() => ${write}, 1)`
  })
  const childCode = JSON.stringify(`${child}; console.log('ready')`)
  const code = `${parent}
    require('child_process').spawn(process.execPath, ['-e', ${childCode}], { stdio: ['ignore', 'inherit', 'ignore'] })`
  const { child: program, pid } = await aProgram(code)
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'))
  const leader = identify(pid)
  if (!leader) throw new Error('The program is gone')
  const sizes = () => files.map((file) => readFileSync(file).length)
  return { program, leader, sizes }
}

/** Keeps this thread busy, so that writers have the time to write if they could. */
function aMoment(): void {
  const end = performance.now() + 30
  while (performance.now() < end);
}

describe('duringPause', () => {
  it('finds no process of the group writing, and lets all of them go on', async () => {
    const { leader, sizes } = await twoWriters()
    const { value, pausedMs } = await duringPause(leader, () => {
      const before = sizes()
      aMoment()
      return { before, after: sizes() }
    })
    expect(value.after).toEqual(value.before)
    expect(pausedMs).toBeGreaterThanOrEqual(30)
    await eventually(() => {
      sizes().forEach((size, i) => expect(size).toBeGreaterThan(value.before[i] ?? 0))
    })
  })

  it('lets them go on when the work fails', async () => {
    const { leader } = await twoWriters()
    const work = () => {
      throw new Error('The disk is full')
    }
    await expect(duringPause(leader, work)).rejects.toThrow('The disk is full')
    await eventually(() => expect(isStopped(leader.pid)).toBe(false))
  })

  it('fails when another process was started in the meantime', async () => {
    const { program, leader } = await twoWriters()
    const work = () => process.kill(-leader.pid, 'SIGKILL')
    await expect(duringPause(leader, work)).rejects.toThrow('The Worker was restarted')
    await hasEnded(program)
    await expect(duringPause(leader, () => undefined)).rejects.toThrow('The Worker was restarted')
  })
})

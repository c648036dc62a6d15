import { existsSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { identify, membersOfGroup } from '../../../../scripts/machine/process-table.ts'
import { readJson, writeJson } from '../../../../scripts/machine/write-file.ts'
import {
  claimDataDirectory,
  recordParts,
  releaseDataDirectory,
} from '../../../../scripts/start/data/claim-data-directory.ts'
import { createDataDirectory } from '../../../../scripts/start/data/data-directory.ts'
import { serviceMarker } from '../../../../scripts/start/parts/part-environments.ts'
import { aProgram, aSleeper, hasEnded, type Sleeper } from '../../../support/scripts/sleeper.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

const nobody = { pid: 2 ** 22 + 1, startedAt: 'long ago' }

function endAfterTest({ child }: Sleeper): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

describe('claimDataDirectory', () => {
  it('records the supervisor and its parts, and removes the record at the end', async () => {
    const data = createDataDirectory(temporaryDirectory())
    await claimDataDirectory(data)
    const part = await aSleeper()
    endAfterTest(part)
    recordParts(data, [part.pid])
    expect(readJson(data.processes)).toEqual({
      supervisor: identify(process.pid),
      parts: [identify(part.pid)],
    })
    releaseDataDirectory(data)
    expect(existsSync(data.processes)).toBe(false)
  })

  it('refuses a directory whose service still runs, and says how to stop it', async () => {
    const data = createDataDirectory(temporaryDirectory())
    const supervisor = await aSleeper()
    endAfterTest(supervisor)
    writeJson(data.processes, { supervisor: identify(supervisor.pid), parts: [] }, 0o600)
    await expect(claimDataDirectory(data)).rejects.toThrow(
      `Spool already runs on ${data.base} (process ${supervisor.pid}). Stop it first (kill ${supervisor.pid})`,
    )
  })

  it('ends the parts that a killed supervisor left', async () => {
    const data = createDataDirectory(temporaryDirectory())
    const orphan = await aSleeper()
    writeJson(data.processes, { supervisor: nobody, parts: [identify(orphan.pid)] }, 0o600)
    await claimDataDirectory(data)
    await hasEnded(orphan.child)
    expect(orphan.child.signalCode).toBe('SIGKILL')
  })

  it('spares a process that has got the number of a former part', async () => {
    const data = createDataDirectory(temporaryDirectory())
    const stranger = await aSleeper()
    endAfterTest(stranger)
    const former = { pid: stranger.pid, startedAt: 'another time' }
    writeJson(data.processes, { supervisor: nobody, parts: [former] }, 0o600)
    await claimDataDirectory(data)
    expect(identify(stranger.pid)).toBeDefined()
  })

  it('ends the children of a dead part if they have the mark of this service', async () => {
    const data = createDataDirectory(temporaryDirectory())
    const ours = await anOrphanedChild(data.base)
    const foreign = await anOrphanedChild('/another/service')
    onTestFinished(() => void process.kill(foreign.childPid, 'SIGKILL'))
    const parts = [ours, foreign].map(({ leader }) => ({ pid: leader, startedAt: 'gone' }))
    writeJson(data.processes, { supervisor: nobody, parts }, 0o600)
    await claimDataDirectory(data)
    expect(identify(ours.childPid)).toBeUndefined()
    expect(identify(foreign.childPid)).toBeDefined()
  })
})

/** A child in the group of a leader that has ended, as workerd is when wrangler was killed. */
async function anOrphanedChild(mark: string): Promise<{ leader: number; childPid: number }> {
  const code = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    child.once('spawn', () => console.log(child.pid))
    setInterval(() => {}, 1000)`
  const leader = await aProgram(code, { [serviceMarker]: mark })
  const childPid = membersOfGroup(leader.pid).find(({ pid }) => pid !== leader.pid)?.pid
  if (childPid === undefined) throw new Error('The leader has no child')
  leader.child.kill('SIGKILL')
  await hasEnded(leader.child)
  return { leader: leader.pid, childPid }
}

import { describe, expect, it } from 'vitest'
import { identify, isAlive, membersOfGroup } from '../../../scripts/machine/process-table.ts'
import { aSleeper, hasEnded } from '../../support/scripts/sleeper.ts'

describe('identify', () => {
  it('tells a living process from another with its number', () => {
    const own = identify(process.pid)
    expect(own && isAlive(own)).toBe(true)
    expect(isAlive({ pid: process.pid, startedAt: 'another time' })).toBe(false)
  })

  it('does not take a process that has ended for alive', async () => {
    const sleeper = await aSleeper()
    const identity = identify(sleeper.pid)
    expect(membersOfGroup(sleeper.pid).map(({ pid }) => pid)).toEqual([sleeper.pid])
    sleeper.child.kill('SIGKILL')
    await hasEnded(sleeper.child)
    expect(identity && isAlive(identity)).toBe(false)
    expect(membersOfGroup(sleeper.pid)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import {
  identify,
  isAlive,
  membersOfGroup,
  parseStat,
} from '../../../scripts/machine/process-table.ts'
import { aSleeper, hasEnded } from '../support/sleeper.ts'

describe('parseStat', () => {
  it('reads past a name that holds spaces and brackets', () => {
    const rest = 'S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 0 0'
    expect(parseStat(`42 (a) b) ${rest}`)).toEqual({
      dead: false,
      group: 42,
      startTicks: '987654',
    })
  })

  it('takes a process for dead when its last thread is, not when its first is', () => {
    const zombie = (threads: number) =>
      parseStat(`42 (node) Z 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 ${threads} 0 987654 0 0`)
    expect(zombie(2)).toMatchObject({ dead: false })
    expect(zombie(1)).toMatchObject({ dead: true })
  })

  it('is undefined for a line that ends too soon', () => {
    expect(parseStat('42 (a) S 1')).toBeUndefined()
  })
})

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

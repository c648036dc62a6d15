import { describe, expect, it } from 'vitest'
import { Lending } from '../../../../worker/service/line/lending.ts'

const film = { jobId: 'j_1', accountId: 'a_1', maxRunning: null, worker: 'w_1' }
const many = { all: 20, idle: 20, running: 1 }

describe('Lending', () => {
  it('lets one job borrow half of all slots, and of two or three slots all others', () => {
    const lending = new Lending(100)
    expect(lending.roomFor(film, many)).toBe(10)
    expect(lending.roomFor(film, { all: 2, idle: 1, running: 1 })).toBe(1)
    expect(lending.roomFor(film, { all: 3, idle: 2, running: 1 })).toBe(2)
    for (let slot = 0; slot < 10; slot++) lending.lend(film, slot, 0)
    expect(lending.roomFor(film, many)).toBe(0)
    expect(lending.roomFor({ ...film, jobId: 'j_2' }, many)).toBe(10)
  })

  it('lets an account borrow no more than its most, in all of its jobs, and no more than its cap leaves', () => {
    const lending = new Lending(3)
    lending.lend(film, 0, 0)
    lending.lend({ ...film, jobId: 'j_2' }, 0, 0)
    expect(lending.roomFor(film, many)).toBe(1)
    expect(lending.roomFor({ ...film, maxRunning: 3 }, many)).toBe(0)
    expect(lending.roomFor({ ...film, jobId: 'j_3', accountId: 'a_2' }, many)).toBe(3)
  })

  it('does not know more than what is idle, and lends what is asked for where nobody can be asked', () => {
    expect(new Lending(9).roomFor(film, { all: 20, idle: 2, running: 1 })).toBe(2)
    expect(new Lending(9).roomFor(film, { all: undefined, idle: undefined, running: 1 })).toBe(9)
  })

  it('takes back the slots of a job that has fallen silent', () => {
    const lending = new Lending(9)
    lending.lend(film, 0, 0)
    lending.lend(film, 1, 60_000)
    expect(lending.expire(89_000)).toBe(0)
    expect(lending.expire(90_000)).toBe(1)
    expect(lending.giveBack('j_1', 'all')).toBe(1)
    expect(lending.giveBack('j_1', 'all')).toBe(0)
    expect(lending.count).toBe(0)
  })

  it('takes them back as soon after it has begun again as before', () => {
    const lending = new Lending(9)
    lending.lend(film, 0, 0)
    lending.lend(film, 1, 60_000)
    const again = new Lending(9, new Lending(9, lending.kept).kept)
    expect(again.expire(89_000)).toBe(0)
    expect(again.expire(90_000)).toBe(1)
    expect(again.has('j_1', 1)).toBe(true)
  })
})

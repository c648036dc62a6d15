import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Line, type TurnPlan } from '../../../../worker/service/line/line.ts'
import { seeded } from '../../../support/node/seeded.ts'

const plain: TurnPlan = { weight: 1, maxRunning: null, version: 0, turn: null }
const never = Number.MAX_SAFE_INTEGER

function joinAll(line: Line, accountId: string, ids: readonly string[], createdAt = 0): void {
  for (const [i, jobId] of ids.entries()) {
    line.join({ jobId, accountId, createdAt: createdAt + i, chain: 0, deadline: never })
  }
}

/** Starts this number of jobs, one after another, each of which ends before the next. */
function serve(line: Line, times: number): string[] {
  return Array.from({ length: times }, () => {
    const jobId = line.take(0)?.jobId ?? 'nobody'
    line.begin(jobId, 0)
    line.end(jobId)
    return jobId
  })
}

const idsIn = (line: Line) => line.inOrder().map(({ jobId }) => jobId)

const jobs = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i + 1}`)

describe('the line', () => {
  it('keeps jobs by age, in whatever order they come', () => {
    const line = new Line()
    for (const createdAt of [5, 1, 4, 2, 3]) {
      line.join({ jobId: `j${createdAt}`, accountId: 'a', createdAt, chain: 0, deadline: never })
    }
    expect(serve(line, 5)).toEqual(['j1', 'j2', 'j3', 'j4', 'j5'])
  })

  it('gives jobs of one millisecond their places back in the order that they had (seed 26)', () => {
    const line = new Line()
    for (const jobId of ['b', 'a', 'c']) {
      line.join({ jobId, accountId: 'a', createdAt: 5, chain: 0, deadline: never })
    }
    const before = idsIn(line)
    const called = [line.take(0)?.jobId ?? 'nobody', line.take(0)?.jobId ?? 'nobody']
    for (const jobId of called.reverse()) line.putBack(jobId, { now: 0 })
    expect(idsIn(line)).toEqual(before)
  })

  it('shows a job that found no slot before younger ones that are still being offered (seed 163)', () => {
    const line = new Line()
    joinAll(line, 'a', jobs('j', 4))
    const called = [line.take(0), line.take(0), line.take(0)]
    expect(called.map((job) => job?.jobId)).toEqual(['j1', 'j2', 'j3'])
    line.putBack('j1', { now: 0 })
    expect(idsIn(line)).toEqual(['j1', 'j2', 'j3', 'j4'])
    line.begin('j2', 0)
    expect(idsIn(line)).toEqual(['j1', 'j3', 'j4'])
  })

  it('saves up no turns for an account without jobs, and keeps none from one that had many', () => {
    const line = new Line()
    joinAll(line, 'busy', jobs('b', 50))
    serve(line, 40)
    joinAll(line, 'fresh', jobs('f', 10), 100)
    const order = serve(line, 8)
    expect(order[0]).toBe('f1')
    expect(order.filter((id) => id.startsWith('f'))).toHaveLength(4)
  })

  it('lets the first job of a new account go next, at whatever point of a round it comes', () => {
    for (let served = 3; served <= 9; served++) {
      const line = new Line()
      for (const name of ['a', 'b', 'c']) joinAll(line, name, jobs(name, 9))
      serve(line, served)
      joinAll(line, 'new', ['n'], 1000)
      expect(idsIn(line)[0]).toBe('n')
      expect(serve(line, 1)).toEqual(['n'])
    }
  })

  it('goes on in the order that D1 has kept, after it was forgotten', () => {
    const line = new Line()
    line.setPlan('had', { ...plain, turn: 7 }, 7)
    line.setPlan('hadNot', { ...plain, turn: 6 }, 7)
    joinAll(line, 'had', jobs('a', 1))
    joinAll(line, 'hadNot', jobs('b', 1), 100)
    expect(serve(line, 2)).toEqual(['b1', 'a1'])
  })

  it('counts no job as running that waits, although it was read as one (seed 812046)', () => {
    const line = new Line()
    line.setPlan('capped', { ...plain, maxRunning: 1 })
    joinAll(line, 'capped', ['c1'])
    line.hold('c1', { accountId: 'capped', startedAt: 0 })
    joinAll(line, 'capped', ['c1'])
    expect(line.take(0)?.jobId).toBe('c1')
  })

  it('keeps the newer of two plans, also of an account that has had nothing here', () => {
    const line = new Line()
    line.changePlan('capped', { weight: 1, maxRunning: null, version: 2 })
    line.setPlan('capped', { ...plain, maxRunning: 1, version: 1 })
    joinAll(line, 'capped', jobs('c', 3))
    expect([line.take(0)?.jobId, line.take(0)?.jobId]).toEqual(['c1', 'c2'])
    line.setPlan('capped', { ...plain, maxRunning: 1, version: 3 })
    expect(line.take(0)).toBeUndefined()
  })

  it('counts a slot once, however often its job is said to have left', () => {
    const line = new Line()
    joinAll(line, 'a', ['j'])
    line.take(0)
    line.begin('j', 5)
    expect(line.leaveSlot('j')).toBe(true)
    expect(line.leaveSlot('j')).toBe(false)
    expect(line.end('j')).toEqual({ had: 'left slot' })
    expect(line.countOf('a')).toEqual({ waiting: 0, running: 0 })
  })

  it('lets others go before a job that nobody would take, for 15 seconds', () => {
    const line = new Line()
    joinAll(line, 'a', ['odd', 'next'])
    expect(line.take(0)?.jobId).toBe('odd')
    line.putBack('odd', { now: 0, passed: true })
    expect(line.dueAt(0)).toBe(15_000)
    expect(line.take(14_999)?.jobId).toBe('next')
    expect(line.take(14_999)).toBeUndefined()
    expect(line.take(15_000)?.jobId).toBe('odd')
  })

  it('waits for no moment that was set before the clock was put back', () => {
    const line = new Line()
    const late = 3 * 3_600_000
    joinAll(line, 'a', ['odd', 'given'])
    line.take(late)
    line.putBack('odd', { now: late, passed: true })
    expect(line.take(late)?.jobId).toBe('given')
    expect(line.take(0)?.jobId).toBe('odd')
    line.begin('odd', 0)
    line.end('odd')
    line.expire(0)
    expect(line.take(0)?.jobId).toBe('given')
  })

  // Seed 700521: its object did not answer, so the dispatcher called it again and again, and the sweep left it alone.
  it('knows that a job has waited too long also while it has a turn', () => {
    const line = new Line()
    line.join({ jobId: 'late', accountId: 'a', createdAt: 0, chain: 0, deadline: 9 })
    joinAll(line, 'a', ['early'], 1)
    expect(line.isLate('late', 10)).toBe(true)
    expect(line.take(9)?.jobId).toBe('late')
    expect([line.isLate('late', 9), line.isLate('late', 10)]).toEqual([false, true])
    expect([line.isLate('early', 10), line.isLate('unknown', 10)]).toEqual([false, false])
  })

  it('forecasts the order in which jobs then begin, whichever account they belong to', () => {
    const plans = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 5 }), turn: fc.nat(4) }), {
      minLength: 1,
      maxLength: 6,
    })
    const counts = fc.array(fc.nat(6), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(plans, counts, (all, waiting) => {
        const line = new Line()
        let createdAt = 0
        for (const [i, { weight, turn }] of all.entries()) {
          line.setPlan(`a${i}`, { ...plain, weight, turn }, 4)
          joinAll(line, `a${i}`, jobs(`a${i}-`, waiting[i] ?? 0), (createdAt += 100))
        }
        const ids = new Set(idsIn(line))
        expect(ids.size).toBe(line.size)
        // Two accounts at the same place may change sides, because places are sums of fractions.
        const forecast = idsIn(line)
        const first = line.take(0)
        expect(first?.jobId).toBe(forecast[0])
      }),
      seeded(),
    )
  })

  it('forecasts exactly for plain plans', () => {
    const line = new Line()
    joinAll(line, 'a', jobs('a', 5))
    joinAll(line, 'b', jobs('b', 3), 100)
    joinAll(line, 'c', jobs('c', 1), 200)
    const forecast = idsIn(line)
    expect(serve(line, 9)).toEqual(forecast)
  })

  it('never breaks a cap or loses a job, whatever happens to the jobs', () => {
    const step = fc.record({ kind: fc.nat(6), job: fc.nat(11), pass: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const line = new Line()
        line.setPlan('a0', { ...plain, maxRunning: 2 })
        const open = new Set<string>()
        for (const [now, { kind, job, pass }] of steps.entries()) {
          const [jobId, accountId] = [`j${job}`, `a${job % 3}`]
          if (kind <= 1) {
            line.join({ jobId, accountId, createdAt: job, chain: 0, deadline: never })
            open.add(jobId)
          } else if (kind === 2) line.take(now * 1000)
          else if (kind === 3 && line.withTurn(jobId)) line.begin(jobId, now)
          else if (kind === 4) line.putBack(jobId, { now: now * 1000, passed: pass })
          else if (kind === 5) {
            line.end(jobId)
            open.delete(jobId)
          } else line.expire(now * 1000)
          const known = [0, 1, 2].map((i) => line.countOf(`a${i}`))
          expect(known.reduce((sum, one) => sum + one.waiting + one.running, 0)).toBe(open.size)
        }
        let running = line.countOf('a0').running
        while (line.take(never)) running = line.countOf('a0').running
        expect(running).toBeLessThanOrEqual(2)
      }),
      seeded(),
    )
  })

  it('serves 10,000 jobs of 50 accounts, round by round, in well under a second', () => {
    const line = new Line()
    for (let i = 0; i < 10_000; i++) {
      const accountId = `a${i % 50}`
      line.join({ jobId: `j${i}`, accountId, createdAt: i, chain: 0, deadline: never })
    }
    const began = performance.now()
    expect(line.inOrder()).toHaveLength(10_000)
    const order = serve(line, 500)
    expect(performance.now() - began).toBeLessThan(1000)
    expect(new Set(order.slice(0, 50).map((id) => Number(id.slice(1)) % 50)).size).toBe(50)
    joinAll(line, 'fresh', ['new'], 1e6)
    expect(line.take(0)?.jobId).toBe('new')
  })
})

import { describe, expect, it } from 'vitest'
import { PastPaces } from '../../../../worker/service/line/past-paces.ts'

const done = (ms: number, units = 1, kind = 'encoding mp4') => [{ kind, units, ms }]

describe('the paces of the past', () => {
  it('are the medians of the last jobs, by kind of work', () => {
    const past = new PastPaces()
    for (const ms of [10, 30, 20, 900]) past.note(done(ms * 5, 5))
    past.note(done(7, 1, 'measuring'))
    expect(past.paces['encoding mp4']?.ms).toBe(25)
    expect(past.paces['measuring']?.ms).toBe(7)
  })

  it('are the surer, the more jobs there were and the more they were alike', () => {
    const [one, many, mixed] = [new PastPaces(), new PastPaces(), new PastPaces()]
    one.note(done(100))
    for (let i = 0; i < 10; i++) {
      many.note(done(100 + i))
      mixed.note(done(100 * 4 ** (i % 3)))
    }
    const spreadOf = (past: PastPaces) => past.paces['encoding mp4']?.spread ?? 0
    expect(spreadOf(many)).toBeLessThan(spreadOf(one))
    expect(spreadOf(many)).toBeLessThan(0.3)
    expect(spreadOf(mixed)).toBe(1)
  })

  it('follow a machine that has become faster, and stay as they are through a restart', () => {
    const past = new PastPaces()
    for (let i = 0; i < 20; i++) past.note(done(100))
    for (let i = 0; i < 12; i++) past.note(done(10))
    expect(new PastPaces(past.kept).paces['encoding mp4']?.ms).toBe(10)
  })

  it('take little room, however many kinds are told', () => {
    const past = new PastPaces()
    for (let i = 0; i < 1_000; i++) past.note(done(1, 1, `kind ${i}`))
    expect(Object.keys(past.kept)).toHaveLength(240)
    expect(past.paces['kind 999']).toBeDefined()
  })
})

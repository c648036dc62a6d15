import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { benchmark, byTurns, median, quantile, type Run } from '../../bench/benchmark.ts'

let printed = ''
beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const { signal } = new AbortController()

/** A benchmark whose work is given, and what it was asked. */
function aBenchmark(work: (run: Run) => unknown = () => undefined) {
  const asked: object[] = []
  const made = benchmark({
    summary: 'how long it takes',
    takes: 'a moment',
    about: 'Measures how long it takes.',
    numbers: { rounds: [3, 'how often'] },
    switches: { loud: 'with sound' },
    async measure(what, run) {
      asked.push(what)
      await work(run)
    },
  })
  return { asked, run: async (...args: string[]) => made.run('time', args, signal), made }
}

describe('a benchmark', () => {
  it('is told what its options say, and what they are without them', async () => {
    const { asked, run } = aBenchmark()
    expect(await run()).toBe(0)
    expect(await run('--rounds', '9', '--loud')).toBe(0)
    expect(asked).toEqual([
      { rounds: 3, loud: false },
      { rounds: 9, loud: true },
    ])
  })

  it('explains all of its options', () => {
    const help = aBenchmark().made.help('time')
    expect(help).toContain('npm run bench -- time [options]')
    expect(help).toMatch(/--rounds N +how often \(default: 3\)/)
    expect(help).toMatch(/--loud +with sound/)
  })

  it.for([
    [['--rounds', 'all'], '--rounds must be a whole number'],
    [['--quiet'], "Unknown option '--quiet'"],
  ] as const)('refuses %j before it measures anything', async ([args, message]) => {
    const { asked, run } = aBenchmark()
    await expect(run(...args)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message) as string,
    })
    expect(asked).toEqual([])
  })

  it('ends with 1 as soon as one limit is not kept, and says which', async () => {
    const { run } = aBenchmark(({ judge }) => {
      judge('2.5 s', 'at most 3 s', true)
      judge('700 MiB', 'at most 600 MiB', false)
      judge('no statement', '0', true)
    })
    expect(await run()).toBe(1)
    expect(printed).toContain('2.5 s  limit at most 3 s: ok\n')
    expect(printed).toContain('700 MiB  limit at most 600 MiB: not kept\n')
    expect(printed).toMatch(/a limit is not kept\n$/)
  })

  it('leaves nothing behind when it fails, and ends first what began last', async () => {
    const ended: string[] = []
    let folder = ''
    const { run } = aBenchmark((one) => {
      ;({ folder } = one)
      expect(existsSync(folder)).toBe(true)
      one.atEnd(() => ended.push('database'))
      one.atEnd(async () => ended.push(`service in ${existsSync(folder) ? 'its' : 'no'} folder`))
      throw new Error('no media worker')
    })
    await expect(run()).rejects.toThrow('no media worker')
    expect(ended).toEqual(['service in its folder', 'database'])
    expect(existsSync(folder)).toBe(false)
  })
})

it('a comparison runs its sides by turns, and leaves out what only warms up', async () => {
  const begun: string[] = []
  const side = (name: string) => async () => begun.push(name)
  const rounds = await byTurns(2, { ours: side('ours'), bare: side('bare') }, 1)
  expect(begun).toEqual(['bare', 'ours', 'ours', 'bare', 'bare', 'ours'])
  expect(rounds).toEqual([
    { ours: 3, bare: 4 },
    { ours: 6, bare: 5 },
  ])
})

it('quantile lies between two values where it falls between them', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1])).toBe(2.5)
  expect(quantile([0, 10, 20], 0.95)).toBeCloseTo(19)
  expect(quantile([], 0.5)).toBeNaN()
})

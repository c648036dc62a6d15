import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { root, vitestCli } from '../../../scripts/machine/checkout.ts'
import { writeJson } from '../../../scripts/machine/write-file.ts'
import { resultsVariable } from '../../../scripts/test/closing-line.ts'
import type { FileResults } from '../../../scripts/test/results.ts'
import { runTests } from '../../../scripts/test/run-tests.ts'
import { directoryForEach } from '../../support/node/directories.ts'

const quietly = () => undefined
const all = { suite: 'tests', args: [] } as const
const which = '--tags-filter=!campaign'

const failing: FileResults = { passed: 0, skipped: 0, failed: ['it'], flaky: [] }

/** A stand-in for vitest: records what it was asked to run, and leaves these results. */
function fakeVitest(exitCode: number, files: Record<string, FileResults>, unhandled = 0) {
  const runs: (readonly string[])[] = []
  const vitest = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
    runs.push(args)
    const file = env[resultsVariable]
    if (file !== undefined) writeJson(file, { files, unhandled }, 0o644)
    return exitCode
  }
  return { runs, vitest }
}

describe('running the tests', () => {
  it.each<[string, number, Record<string, FileResults>, number]>([
    ['all passed', 0, {}, 0],
    ['somebody pressed Ctrl-C', 130, { 'a.test.ts': failing }, 0],
    ['an error belongs to no file', 1, { 'a.test.ts': failing }, 1],
    ['nothing is known', 1, {}, 0],
    [
      'more failed than chance would have it',
      1,
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, failing])),
      0,
    ],
  ])('accepts the result of one run when %s', async (_, exitCode, files, unhandled) => {
    const { runs, vitest } = fakeVitest(exitCode, files, unhandled)
    expect(await runTests(vitest, all, quietly)).toBe(exitCode)
    expect(runs).toEqual([[which]])
  })

  it('runs tests that were named once, and leaves the results of others alone', async () => {
    vi.stubEnv(resultsVariable, '/results/of/another/run')
    const asked: unknown[] = []
    const vitest = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
      asked.push([args, env[resultsVariable]])
      return 1
    }
    expect(await runTests(vitest, { ...all, args: ['a.test.ts'] }, quietly)).toBe(1)
    vi.unstubAllEnvs()
    expect(asked).toEqual([[[which, 'a.test.ts'], undefined]])
  })

  it('runs a few failed files again, one after the other', async () => {
    const passing = { ...failing, failed: [], passed: 1 }
    const files = { 'a.test.ts': failing, 'b.test.ts': passing, 'c.test.ts': failing }
    const { runs, vitest } = fakeVitest(1, files)
    expect(await runTests(vitest, all, quietly)).toBe(1)
    expect(runs).toEqual([[which], [which, '--no-file-parallelism', 'a.test.ts', 'c.test.ts']])
  })
})

describe('the closing lines of real runs', () => {
  const folder = directoryForEach()
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
  beforeEach(() => {
    write('vitest.config.mjs', `export default { test: { tags: [{ name: 'campaign' }] } }`)
  })

  /** Runs a separate vitest in its own folder, and returns what it printed. */
  function realVitest() {
    const reporter = path.join(root, 'scripts/test/closing-line.ts')
    const printed: string[] = []
    const vitest = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
      const options = ['--root', folder, '--globals', '--reporter', reporter]
      const child = spawn(process.execPath, [vitestCli, 'run', ...options, ...args], {
        env: { ...env, VITEST: undefined, VITEST_POOL_ID: undefined, VITEST_WORKER_ID: undefined },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child.stdout.on('data', (text: Buffer) => printed.push(text.toString()))
      return new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))
    }
    return { vitest, lines: () => printed.join('').trim().split('\n') }
  }

  it('count every test once and name what only the second try let pass', async () => {
    const tried = JSON.stringify(path.join(folder, 'tried'))
    write('steady.test.js', `it('stands', () => {}); it.skip('waits')`)
    write('broken.test.js', `import './absent.js'`)
    write(
      'moody.test.js',
      `import { existsSync, writeFileSync } from 'node:fs'
       it('holds', () => {})
       it('holds the second time', () => {
         const before = existsSync(${tried})
         writeFileSync(${tried}, '')
         expect(before).toBe(true)
       })`,
    )
    const { vitest, lines } = realVitest()
    const said: string[] = []
    expect(await runTests(vitest, all, (line) => said.push(line))).toBe(1)
    expect(said).toEqual(['Once more, by themselves: broken.test.js, moody.test.js'])
    expect(lines()).toContain('Tests: 2 passed, 2 failed, 1 skipped')
    expect(lines().slice(-2)).toEqual([
      'Flaky: moody.test.js > holds the second time',
      'Tests: 3 passed, 1 failed, 1 skipped',
    ])
  })

  it('count what belongs to the suite', async () => {
    write(
      'long.test.js',
      `it('is quick', () => {}); it.skip('waits', () => {})
       it('takes minutes', { tags: 'campaign' }, () => {})`,
    )
    const { vitest, lines } = realVitest()
    expect(await runTests(vitest, all, quietly)).toBe(0)
    expect(lines().at(-1)).toBe('Tests: 1 passed, 0 failed, 1 skipped')
    expect(await runTests(vitest, { suite: 'campaigns', args: [] }, quietly)).toBe(0)
    expect(lines().at(-1)).toBe('Tests: 1 passed, 0 failed')
    expect(await runTests(vitest, { suite: 'all', args: [] }, quietly)).toBe(0)
    expect(lines().at(-1)).toBe('Tests: 2 passed, 0 failed, 1 skipped')
  })
})

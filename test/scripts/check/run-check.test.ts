import { describe, expect, it } from 'vitest'
import { runCheck } from '../../../scripts/check/run-check.ts'
import type { Step } from '../../../scripts/check/steps.ts'

const step = (name: string): Step => ({ name, command: [name] })
const lanes = [[step('lint')], [step('types'), step('deploy')]]

/** Each step takes a minute, says its name, and ends with the exit code that is given for it. */
async function check(exitCodes: Record<string, number> = {}) {
  let text = ''
  let now = 5_000
  const ran: string[] = []
  const run = async (name: string) => {
    ran.push(name)
    await Promise.resolve()
    now += 60_000
    return exitCodes[name] ?? 0
  }
  const exitCode = await runCheck(
    {
      lanes,
      run: async ([name], write) => {
        write(`${name} says so\n`)
        return run(name)
      },
      suite: 'all',
      test: async () => run('tests'),
    },
    { write: (written) => (text += written), now: () => now },
  )
  return { exitCode, ran, lines: text.split('\n').filter((line) => line !== '') }
}

describe('runCheck', () => {
  it('takes the lanes at once, and writes what a step says when it has ended', async () => {
    const { exitCode, ran, lines } = await check()
    expect(exitCode).toBe(0)
    expect(ran).toEqual(['lint', 'types', 'deploy', 'tests'])
    expect(lines).toEqual([
      'At once: lint | types, deploy',
      '== lint',
      'lint says so',
      'ok, 120.0 s',
      '== types',
      'types says so',
      'ok, 120.0 s',
      '== deploy',
      'deploy says so',
      'ok, 60.0 s',
      '== tests and campaigns, which take many minutes (after 180.0 s)',
    ])
  })

  it('runs every step, also after one has failed, and names what has before the tests begin', async () => {
    const { exitCode, ran, lines } = await check({ types: 2 })
    expect([exitCode, ran.at(-1)]).toEqual([1, 'tests'])
    expect(lines).toContain('FAILED (exit code 2), 120.0 s')
    expect(lines).toContain('Failed so far: types')
  })

  it('fails where only the tests do', async () => {
    expect((await check({ tests: 1 })).exitCode).toBe(1)
  })

  it('goes on to nothing when it is interrupted', async () => {
    const { exitCode, ran } = await check({ types: 130 })
    expect([exitCode, ran]).toEqual([130, ['lint', 'types']])
  })
})

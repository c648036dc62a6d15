import { describe, expect, it } from 'vitest'
import { runCheck } from '../../../scripts/check/run-check.ts'
import type { Step } from '../../../scripts/check/steps.ts'
import { countedVariable, resultsVariable } from '../../../scripts/test/closing-line.ts'

const step = (name: string, seconds: number): Step => ({ name, seconds, command: [name] })
const checks = [step('lint', 30), step('types', 45)]
const testSteps = { tests: step('tests', 300), campaigns: step('campaigns', 400) }

/** Each step takes a minute, and ends with the exit code that is given for it. */
async function check(exitCodes: Record<string, number> = {}) {
  let text = ''
  let now = 5_000
  const environments: Record<string, Record<string, string>> = {}
  const exitCode = await runCheck(
    { checks, ...testSteps },
    async ([name], env) => {
      now += 60_000
      environments[name] = env
      return exitCodes[name] ?? 0
    },
    { write: (written) => (text += written), now: () => now },
  )
  return { exitCode, environments, lines: text.split('\n').filter((line) => line !== '') }
}

describe('runCheck', () => {
  it('says at the start how long it takes, and at each step how far it is', async () => {
    const { exitCode, lines } = await check()
    expect(exitCode).toBe(0)
    expect(lines).toEqual([
      '4 steps, about 13 minutes on two quiet cores: lint, types, tests, campaigns',
      '== 1 of 4: lint, about 30 s (0:00 so far)',
      'ok, 60.0 s',
      '== 2 of 4: types, about 45 s (1:00 so far)',
      'ok, 60.0 s',
      '== 3 of 4: tests, about 5 minutes (2:00 so far)',
      '== 4 of 4: campaigns, about 7 minutes (3:00 so far)',
    ])
  })

  it('runs every step, also after one has failed, and names what has before the tests begin', async () => {
    const { exitCode, lines } = await check({ lint: 2, tests: 1 })
    expect(exitCode).toBe(1)
    expect(lines).toContain('FAILED (exit code 2), 60.0 s')
    expect(lines.filter((line) => line.startsWith('Failed'))).toEqual([
      'Failed so far: lint',
      'Failed so far: lint, tests',
    ])
    expect(lines.at(-1)).toContain('4 of 4')
  })

  it('fails where only the campaigns do', async () => {
    expect((await check({ campaigns: 1 })).exitCode).toBe(1)
  })

  it('goes on to nothing when it is interrupted', async () => {
    const { exitCode, environments } = await check({ types: 130 })
    expect([exitCode, Object.keys(environments)]).toEqual([130, ['lint', 'types']])
  })

  it('has the last line count the tests and the campaigns', async () => {
    const { environments } = await check()
    const { tests, campaigns, lint } = environments
    expect(tests?.[resultsVariable]).toBeDefined()
    expect(campaigns?.[countedVariable]).toBe(tests?.[resultsVariable])
    expect(campaigns?.[resultsVariable]).not.toBe(tests?.[resultsVariable])
    expect(lint).not.toHaveProperty(resultsVariable)
  })
})

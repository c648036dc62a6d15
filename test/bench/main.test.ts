import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/machine/checkout.ts'

function bench(...args: string[]) {
  return spawnSync(process.execPath, [path.join(root, 'bench/main.ts'), ...args], {
    encoding: 'utf8',
  })
}

it('lists the benchmarks when it is not told which, and refuses unknown ones', () => {
  for (const args of [[], ['--help'], ['help']]) {
    const { status, stdout } = bench(...args)
    expect(stdout).toMatch(/^Usage: npm run bench -- <benchmark>/)
    expect(status).toBe(0)
  }
  const { status, stderr } = bench('all')
  expect(stderr).toMatch(/^Unknown benchmark all\.\n/)
  expect(status).toBe(2)
})

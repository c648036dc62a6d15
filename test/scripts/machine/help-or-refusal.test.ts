import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'

it.each(['check', 'client', 'docs'])(
  'npm run %s explains itself, and takes no arguments',
  (name) => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(root, `scripts/${name}.ts`), ...args], {
        encoding: 'utf8',
      })
    const usage = `Usage: npm run ${name}\n`
    const explained = run('--help')
    expect([explained.status, explained.stdout]).toEqual([0, expect.stringContaining(usage)])
    const refused = run('all')
    expect([refused.status, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain(`npm run ${name} takes no all.\n\n${usage}`)
  },
)

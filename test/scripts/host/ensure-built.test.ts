import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { buildSources } from '../../../scripts/host/ensure-built.ts'
import { root } from '../../../scripts/machine/checkout.ts'

const sources = buildSources().map((file) => path.relative(root, file))

it('builds the Worker again when the client changes that every service serves', () => {
  expect(sources).toEqual(
    expect.arrayContaining([
      'client/src/cli/bin.ts',
      'client/package.json',
      'scripts/client/pack-client.ts',
    ]),
  )
})

it('takes nothing for a source that the build makes, or the first one would be made twice', () => {
  const { stdout } = spawnSync('git', ['check-ignore', '--stdin'], {
    cwd: root,
    input: sources.join('\n'),
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

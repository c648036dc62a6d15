import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { exitCodeHelp } from '../../../../client/src/cli/arguments/show-help.ts'
import { root } from '../../../../scripts/machine/checkout.ts'

it('says the same about exit codes as the guide', async () => {
  const guide = await readFile(path.join(root, 'docs/cli.md'), 'utf8')
  const listed = [...guide.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(
    ([, code, why]) => `${code} ${why}`,
  )
  const [, ...helped] = exitCodeHelp().split('\n')
  expect(listed).toEqual(helped.map((line) => line.trim().replace(/ +/, ' ')))
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'

const support = path.join(root, 'test/support')
const page = readFileSync(path.join(support, 'README.md'), 'utf8')

it.each(['node', 'worker', 'containers', 'scripts'])(
  'test/support/README.md has one line for each file of %s',
  (folder) => {
    const files = readdirSync(path.join(support, folder), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !/\.d\.ts$|\.json$/.test(name))
    const [, section = ''] = page.split(`\n## ${folder}/\n`)
    const [table = ''] = section.split('\n## ')
    const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
    expect(listed).toEqual(files.sort())
  },
)

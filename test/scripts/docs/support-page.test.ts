import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'

const support = path.join(root, 'test/support')
const page = readFileSync(path.join(support, 'README.md'), 'utf8')

it.each(['node', 'worker', 'containers', 'scripts'])(
  'test/support/README.md has one line for each file of %s',
  (folder) => {
    const [, section = ''] = page.split(`\n## ${folder}/\n`)
    const [table = ''] = section.split('\n## ')
    const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
    // A folder has one line for all of it, or one for each of its files.
    const files = readdirSync(path.join(support, folder), { withFileTypes: true })
      .flatMap((entry) => {
        if (!entry.isDirectory()) return [entry.name]
        const room = `${entry.name}/`
        if (listed.includes(room)) return [room]
        return readdirSync(path.join(support, folder, room)).map((name) => room + name)
      })
      .filter((name) => !/\.d\.ts$|\.json$/.test(name))
    expect(listed.sort()).toEqual(files.sort())
  },
)

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fillPage } from '../../../scripts/docs/fill-page.ts'
import { guidesTable } from '../../../scripts/docs/guides-table.ts'
import { root } from '../../../scripts/machine/checkout.ts'

it('README.md lists the guides that every service serves', async () => {
  const file = path.join(root, 'README.md')
  const readme = readFileSync(file, 'utf8')
  expect(readme).toBe(await fillPage(readme, { guides: guidesTable() }, file))
})

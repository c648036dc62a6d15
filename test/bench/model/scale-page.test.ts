import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { modelTexts } from '../../../bench/model/texts.ts'
import { fillPage } from '../../../scripts/docs/fill-page.ts'
import { root } from '../../../scripts/machine/checkout.ts'

const file = path.join(root, 'docs/operators/scale.md')
const page = readFileSync(file, 'utf8')

it('docs/operators/scale.md has the bill and the limits that the model writes', async () => {
  expect(await fillPage(page, modelTexts(), file)).toBe(page)
})

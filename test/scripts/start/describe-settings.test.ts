import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import {
  helpText,
  variableNotes,
  type VariableNotes,
} from '../../../scripts/start/describe-settings.ts'
import { environment, readSettings } from '../../../scripts/start/settings.ts'

const entries: [string, VariableNotes][] = Object.entries(variableNotes)

describe('variableNotes', () => {
  it('describes every setting that is read', () => {
    expect(Object.keys(variableNotes)).toEqual(Object.keys(environment.shape))
  })

  it.each(entries)('gives an example for %s that is accepted', (name, { example }) => {
    expect(() => readSettings({ [name]: example })).not.toThrow()
  })

  it('names the defaults that are used', () => {
    const settings: Record<string, unknown> = readSettings({})
    const literal = entries.filter(([, { fallback }]) => /^[\d/,]+$/.test(fallback))
    expect(literal.length).toBeGreaterThan(10)
    for (const [name, { fallback }] of literal) {
      const used = name === 'SPOOL_VERBOSE' ? Number(settings[name]) : settings[name]
      expect([name, String(used)]).toEqual([name, fallback])
    }
  })
})

describe('docs/configuration.md', () => {
  it('has the same table', () => {
    const text = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` *\|(.+)\|$/gm)]
      .map(([, name, cells]) => [name, ...(cells ?? '').split('|').map((cell) => cell.trim())])
      // The other tables of the page have no default and no example.
      .filter(({ length }) => length === 4)
    expect(rows).toEqual(
      entries.map(([name, { meaning, fallback, example }]) => [
        name,
        meaning,
        fallback,
        `\`${example}\``,
      ]),
    )
  })
})

describe('helpText', () => {
  it('names every variable with its default', () => {
    for (const [name, { fallback }] of entries) {
      expect(helpText()).toMatch(new RegExp(`^  ${name} .*\\(default: ${fallback}\\)$`, 'm'))
    }
  })
})

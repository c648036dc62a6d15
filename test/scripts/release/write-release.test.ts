import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import { dated, writeRelease } from '../../../scripts/release/write-release.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

const changelog =
  '# Changes\n\n## Unreleased\n\n- Films turn.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'
const written = ['client/package.json', 'worker/contract/service-version.ts']

/** What each file says of the version. */
function statedIn(folder: string, files: readonly string[]): (string | undefined)[] {
  const stated = /(?:"version": "|serviceVersion = ')([^"']+)/
  return files.map((file) => stated.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1])
}

it('the version is the same wherever it is stated', () => {
  const stated = statedIn(root, ['package.json', 'package-lock.json', ...written])
  expect(new Set(stated).size).toBe(1)
})

it('writeRelease writes the version everywhere, and dates the changes', () => {
  const folder = temporaryDirectory()
  for (const file of written) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog)
  const changed = writeRelease(folder, '2.0.0', '2026-11-22')
  expect(changed).toEqual(['CHANGELOG.md', ...written])
  expect(statedIn(folder, written)).toEqual(['2.0.0', '2.0.0'])
  expect(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8')).toBe(
    changelog.replace('## Unreleased\n', '## Unreleased\n\n## 2.0.0 (2026-11-22)\n'),
  )
})

describe('CHANGELOG.md', () => {
  it('has something to tell', () => {
    const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
    expect(dated(text, '1.0.0', 'today')).toContain('## 1.0.0 (today)\n')
  })

  it('cannot be dated without a change to name', () => {
    expect(() =>
      dated('# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- A\n', '1.0.0', 'today'),
    ).toThrow('names no change')
    expect(() => dated('# Changes\n', '1.0.0', 'today')).toThrow('no heading')
  })
})

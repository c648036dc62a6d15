import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

type Row = { name: string; licence: string; megabytes: number }
type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(path.join(root, file), 'utf8')) as Value
}

/** The tables of the page, one for each heading. */
async function readTables(): Promise<Row[][]> {
  const page = await readFile(path.join(root, 'docs/operators/dependencies.md'), 'utf8')
  return page
    .replaceAll(/ +/g, ' ')
    .split(/^## /m)
    .slice(1)
    .map((section) =>
      [...section.matchAll(/^\| `([^`]+)` \| .+ \| (.+) \| ([\d.]+) \|$/gm)].map(
        ([, name = '', licence = '', megabytes]) => ({
          name,
          licence,
          megabytes: Number(megabytes),
        }),
      ),
    )
}

/** Without what is nested: that is another package. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = entries.map(async (entry) => {
    const inside = path.join(folder, entry.name)
    if (entry.name === 'node_modules') return 0
    if (entry.isDirectory()) return bytesIn(inside)
    return entry.isFile() ? (await stat(inside)).size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

describe('docs/operators/dependencies.md', () => {
  it('lists exactly the direct dependencies, those of the service first', async () => {
    const { dependencies = {}, devDependencies = {} } = await readJson<Manifest>('package.json')
    const names = (await readTables()).map((rows) => rows.map(({ name }) => name))
    expect(names).toEqual([Object.keys(dependencies).sort(), Object.keys(devDependencies).sort()])
  })

  it('gives each the licence it has', async () => {
    const rows = (await readTables()).flat()
    const actual = rows.map(async ({ name }) => {
      const { license } = await readJson<{ license?: string }>(`node_modules/${name}/package.json`)
      return { name, licence: license }
    })
    const published = rows.map(({ name, licence }) => ({ name, licence }))
    expect(await Promise.all(actual)).toEqual(published)
  })

  it('gives each about the size it has', async () => {
    const off: string[] = []
    for (const { name, megabytes } of (await readTables()).flat()) {
      const actual = (await bytesIn(path.join(root, 'node_modules', name))) / 1e6
      // Builds for other machines differ a little.
      if (Math.abs(actual - megabytes) > Math.max(0.1, actual / 4)) off.push(`${name} ${actual}`)
    }
    expect(off).toEqual([])
  })
})

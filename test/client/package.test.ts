import { build } from 'esbuild'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { generatedFiles } from '../../scripts/client/generated-files.ts'
import { bundleClient } from '../../scripts/client/build-client.ts'
import { root } from '../../scripts/machine/checkout.ts'

const client = path.join(root, 'client')
const dist = path.join(client, 'dist')

it('what the client takes from the description of the API is as `npm run client` would write it', async () => {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    expect(await readFile(path.join(client, file), 'utf8')).toBe(text)
  }
})

describe('the package', () => {
  beforeAll(async () => bundleClient())

  it('has no dependencies, and carries the licence of the project', async () => {
    const manifest = JSON.parse(await readFile(path.join(client, 'package.json'), 'utf8')) as object
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
    expect(await readFile(path.join(client, 'LICENSE'), 'utf8')).toBe(
      await readFile(path.join(root, 'LICENSE'), 'utf8'),
    )
  })

  it('loads nothing of Node until a path is read', async () => {
    const modules = (await readdir(dist)).filter(
      (name) => name.endsWith('.js') && name !== 'spool-cli.js',
    )
    for (const name of modules) {
      const text = await readFile(path.join(dist, name), 'utf8')
      expect({ name, imports: /from ?["']node:/.test(text) }).toEqual({ name, imports: false })
    }
  })

  it('can be bundled for a browser or a Worker without anything of Node', async () => {
    const { outputFiles, warnings } = await build({
      entryPoints: [path.join(dist, 'index.js')],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    })
    expect(warnings).toEqual([])
    expect(outputFiles[0]?.text).not.toContain('node:')
  })
})

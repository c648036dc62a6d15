import { createTarGzip } from 'nanotar'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packedClient } from '../machine/built-files.ts'
import { root } from '../machine/checkout.ts'
import { writeFileAtomically } from '../machine/write-file.ts'
import { bundleClient, clientFolder, declareClient } from './build-client.ts'

/** The same files make the same bytes. */
const attributes = { mode: '644', uid: 0, gid: 0, mtime: 0 }

/** Packs the client as npm would publish it, unless that was done since its sources changed. */
export async function packClient(to: string = packedClient): Promise<void> {
  const packedAt = existsSync(to) ? statSync(to).mtimeMs : 0
  if (packedAt > newestOf([...ofDescription(), ...sources()])) return
  const { writeApiTypes } = await import('./write-api-types.ts')
  writeApiTypes()
  if (packedAt > newestOf(sources())) return
  const built = mkdtempSync(path.join(tmpdir(), 'spool-client-'))
  try {
    await bundleClient(built)
    if ((await declareClient(built)) !== 0) throw new Error('The types of the client have errors.')
    const made = globSync('**/*.{js,d.ts}', { cwd: built })
      .filter((file) => !file.startsWith('cli/'))
      .map((file) => ({ name: `dist/${file}`, from: path.join(built, file) }))
    const written = ['package.json', 'README.md', 'LICENSE'].map((file) => ({
      name: file,
      from: path.join(clientFolder, file),
    }))
    const files = [...made, ...written].toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const packed = await createTarGzip(
      files.map(({ name, from }) => ({ name: `package/${name}`, data: readFileSync(from) })),
      { attrs: attributes },
    )
    writeFileAtomically(to, packed, 0o644)
  } finally {
    rmSync(built, { recursive: true })
  }
}

/** All that the package is made of, and what makes it. */
function sources(): string[] {
  const own = globSync('{src/**/*.ts,*.json,README.md,LICENSE}', { cwd: clientFolder })
  return [
    ...own.map((file) => path.join(clientFolder, file)),
    ...globSync(`${import.meta.dirname}/*.ts`),
  ]
}

/** The files that describe the API. To look whether one has changed takes less time than to describe it. */
function ofDescription(): string[] {
  return globSync('worker/{contract,reference/openapi}/**/*.ts', { cwd: root }).map((file) =>
    path.join(root, file),
  )
}

function newestOf(files: readonly string[]): number {
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeIfChanged } from './write-file.ts'

type BuiltFile = { path: string; contents: Uint8Array }

/**
 * Puts what was built into a folder, and removes what is no longer made. Writes only what has changed, each file as a whole,
 * because another process may serve or bundle the same at this moment.
 */
export function publishFiles(files: readonly BuiltFile[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { path: file, contents } of files) writeIfChanged(file, contents)
  const current = new Set(files.map((file) => path.basename(file.path)))
  for (const name of readdirSync(folder)) {
    if (/\.(js|woff2|json|md)$/.test(name) && !current.has(name))
      rmSync(path.join(folder, name), { force: true })
  }
}

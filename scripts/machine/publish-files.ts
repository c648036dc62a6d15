import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomically } from './write-file.ts'

type BuiltFile = { path: string; text: string }

/**
 * Puts what was bundled into a folder, and removes scripts that are no longer made. Writes only what has changed, each
 * file as a whole, because another process may serve or bundle the same at this moment.
 */
export function publishFiles(files: readonly BuiltFile[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { path: file, text } of files) {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      writeFileAtomically(file, text, 0o644)
    }
  }
  const current = new Set(files.map((file) => path.basename(file.path)))
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.js') && !current.has(name)) rmSync(path.join(folder, name), { force: true })
  }
}

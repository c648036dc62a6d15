import { mkdirSync, readFileSync, renameSync, writeFileSync, linkSync, rmSync } from 'node:fs'
import path from 'node:path'

type Mode = 0o600 | 0o644

/** Readers see the old file or the new one, never half of one. */
export function writeFileAtomically(file: string, content: string | Uint8Array, mode: Mode): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, content, { mode })
  renameSync(draft, file)
}

export function writeJson(file: string, value: unknown, mode: Mode): void {
  writeFileAtomically(file, `${JSON.stringify(value, null, 2)}\n`, mode)
}

/** Undefined if the file is absent or is not JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Returns false if the file exists already. A link, unlike a rename, never replaces a file. */
export function createJson(file: string, content: unknown): boolean {
  const draft = `${file}.${process.pid}.draft`
  writeJson(draft, content, 0o600)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

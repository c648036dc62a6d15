import { linkSync, rmSync } from 'node:fs'
import { writeJson } from './write-file.ts'

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

import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isDiskFull } from '../../containers/errors/job-error.ts'
import { nearestFolder, readDisk } from '../../containers/job/disk-room.ts'
import { StopWithMessage } from './stop-with-message.ts'
import { codeOf } from '../../containers/errors/code-of.ts'

type Mode = 0o600 | 0o644

/** Readers see the old file or the new one, never half of one, also after the machine has lost its power. */
export function writeFileAtomically(file: string, content: string | Uint8Array, mode: Mode): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, content, { mode, flush: true })
  renameSync(draft, file)
}

/** Leaves a file alone that has this content already: somebody may watch it, or compare when it was written. */
export function writeIfChanged(file: string, content: Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(content)) return
  writeFileAtomically(file, content, 0o644)
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
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Makes a folder that somebody has named, or says why it cannot be made. */
export function makeFolder(folder: string, naming: string): void {
  // In /proc and its like, Node would try for ever to make the folder.
  if (readDisk(nearestFolder(folder)).totalBytes === 0) {
    throw new StopWithMessage(`${naming}: it is on no disk, so no file can be kept there`, 2)
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    tryToWrite(folder)
  } catch (cause) {
    const code = codeOf(cause)
    const reason = folderFaults[String(code)]
    if (reason === undefined) throw cause
    throw new StopWithMessage(`${naming}: ${reason}`, 2, { cause })
  }
}

/** After a fault of the disk the system may grant access to a folder in which nothing can be written any more. */
function tryToWrite(folder: string): void {
  const file = path.join(folder, `.${process.pid}.new`)
  try {
    writeFileSync(file, '')
    rmSync(file)
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** A disk that takes no changes keeps the file, and must not keep anything from ending. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The next start replaces it.
  }
}

const folderFaults: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it cannot be written to, because it is mounted read-only',
  EEXIST: 'it is a file and no folder',
  ENOTDIR: 'it lies below a file',
}

export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

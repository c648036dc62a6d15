import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { KeepTime } from './pause-service.ts'

/** What a file looked like when it was copied. */
type Stamp = { inode: bigint; size: bigint; modified: bigint; changed: bigint; copiedAtMs: number }

/** Two writes within one tick of the file system's clock leave the same time; some file systems have ticks of 2 s. */
const longestTickMs = 2_500
const chunkBytes = 4_194_304

/**
 * Copies files that change while they are copied, in passes: each pass copies what has changed since the one before. The
 * last pass is made while nothing changes, and has little left to do.
 */
export class ChangingFiles {
  readonly #source: string
  readonly #target: string
  readonly #stamps = new Map<string, Stamp>()

  constructor(source: string, target: string) {
    this.#source = source
    this.#target = target
  }

  get names(): string[] {
    return [...this.#stamps.keys()]
  }

  /** Makes the copy the same as the files of this list; returns how many bytes it copied. */
  pass(names: readonly string[], keepTime: KeepTime = () => undefined): number {
    const listed = new Set(names)
    for (const name of this.#stamps.keys()) if (!listed.has(name)) this.#drop(name)
    let bytes = 0
    for (const name of names) {
      keepTime()
      bytes += this.#copy(name, keepTime)
    }
    return bytes
  }

  #copy(name: string, keepTime: KeepTime): number {
    const stamp = stampOf(path.join(this.#source, name))
    if (!stamp) {
      this.#drop(name)
      return 0
    }
    if (isUnchanged(this.#stamps.get(name), stamp)) return 0
    const target = path.join(this.#target, name)
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    copyFile(path.join(this.#source, name), target, keepTime)
    this.#stamps.set(name, stamp)
    return Number(stamp.size)
  }

  #drop(name: string): void {
    rmSync(path.join(this.#target, name), { force: true })
    this.#stamps.delete(name)
  }
}

/** Undefined if the file is gone. */
function stampOf(file: string): Stamp | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!stat) return undefined
  const { ino: inode, size, mtimeNs: modified, ctimeNs: changed } = stat
  return { inode, size, modified, changed, copiedAtMs: Date.now() }
}

function isUnchanged(known: Stamp | undefined, now: Stamp): boolean {
  return (
    known !== undefined &&
    known.inode === now.inode &&
    known.size === now.size &&
    known.modified === now.modified &&
    known.changed === now.changed &&
    Number(known.changed / 1_000_000n) + longestTickMs < known.copiedAtMs
  )
}

/** At once where the file system can share the blocks; elsewhere in pieces, so that a pause can end in between. */
function copyFile(source: string, target: string, keepTime: KeepTime): void {
  rmSync(target, { force: true })
  try {
    copyFileSync(source, target, constants.COPYFILE_FICLONE_FORCE)
    return
  } catch {
    // Most file systems cannot. A fault of the file itself comes up again below.
  }
  const from = openSync(source, 'r')
  const to = openSync(target, 'w', 0o600)
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const count = readSync(from, buffer)
      if (count === 0) return
      for (let done = 0; done < count;) done += writeSync(to, buffer, done, count - done)
      keepTime()
    }
  } finally {
    closeSync(from)
    closeSync(to)
  }
}

import { constants, linkSync, mkdirSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { atMost } from '../../containers/errors/at-most.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import {
  backupFolder,
  dataName,
  listBackups,
  readList,
  readManifest,
  type BackupFolder,
  type ListedFile,
} from './backup-folder.ts'
import { filesAtOnce, hashFile } from './hash-file.ts'
import type { HeldObjects } from './held-objects.ts'
import type { ProgressLine } from '../machine/progress-line.ts'

type Work = { held: HeldObjects; progress: ProgressLine; stop: AbortSignal }

/** The files of a backup that is being made, with their hashes. Objects that the former backup has are shared with it. */
export class CopiedFiles {
  readonly #backup: BackupFolder
  readonly #former: BackupFolder | undefined
  readonly #formerHashes: ReadonlyMap<string, string>
  readonly #files: ListedFile[] = []
  #bytes = 0
  #sharedBytes = 0

  constructor(backup: BackupFolder, place: string) {
    this.#backup = backup
    const newest = listBackups(place).at(-1)
    this.#former = newest === undefined ? undefined : backupFolder(path.join(place, newest))
    this.#formerHashes = hashesOf(this.#former)
  }

  get files(): ListedFile[] {
    return [...this.#files].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  get bytes(): number {
    return this.#bytes
  }

  get sharedBytes(): number {
    return this.#sharedBytes
  }

  formerHash(name: string): string | undefined {
    return this.#formerHashes.get(listedName(name))
  }

  async addObjects(names: readonly string[], work: Work): Promise<void> {
    const fresh = names.filter((name) => !this.#share(name, work.held))
    const sizes = new Map(fresh.map((name) => [name, sizeOf(work.held.placeOf(name))]))
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    work.progress.begin('Copying videos', total)
    await atMost(filesAtOnce, fresh, work.stop, async (name) => {
      const target = path.join(this.#backup.data, name)
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
      await copyFile(work.held.placeOf(name), target, constants.COPYFILE_FICLONE)
      await this.#add(name, work.stop)
      work.progress.add(sizes.get(name) ?? 0)
    })
    work.progress.clear()
  }

  /** Files that are in the backup already. */
  async addChanging(names: readonly string[], { stop }: Work): Promise<void> {
    await atMost(filesAtOnce, names, stop, async (name) => this.#add(name, stop))
  }

  /** Objects never change, so a file of the same name and size is the same. */
  #share(name: string, held: HeldObjects): boolean {
    const hash = this.formerHash(name)
    if (!this.#former || hash === undefined) return false
    const former = path.join(this.#former.data, name)
    const size = sizeOf(held.placeOf(name))
    if (statSync(former, { throwIfNoEntry: false })?.size !== size) return false
    const target = path.join(this.#backup.data, name)
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    try {
      linkSync(former, target)
    } catch {
      // A disk without links gets a second copy.
      return false
    }
    this.#files.push({ hash, name: listedName(name) })
    this.#bytes += size
    this.#sharedBytes += size
    return true
  }

  async #add(name: string, signal: AbortSignal): Promise<void> {
    const file = path.join(this.#backup.data, name)
    const hash = await hashFile(file, { sync: true, signal })
    this.#files.push({ hash, name: listedName(name) })
    this.#bytes += statSync(file).size
  }
}

/** A former backup whose list is damaged shares nothing with the new one. */
function hashesOf(former: BackupFolder | undefined): Map<string, string> {
  if (!former) return new Map()
  try {
    return new Map(readList(former, readManifest(former)).map(({ name, hash }) => [name, hash]))
  } catch (error) {
    if (error instanceof StopWithMessage) return new Map()
    throw error
  }
}

function listedName(name: string): string {
  return path.posix.join(dataName, name.split(path.sep).join('/'))
}

function sizeOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat) return stat.size
  throw new StopWithMessage(
    `${file} was removed while the backup was made, and this disk cannot keep it. Try again.`,
  )
}

import {
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { atMost } from '../../containers/errors/at-most.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import {
  claimDataDirectory,
  findRunning,
  releaseDataDirectory,
} from '../start/data/claim-data-directory.ts'
import type { BackupRequest } from './take-backup.ts'
import { createDataDirectory, type DataDirectory } from '../start/data/data-directory.ts'
import { dataName, type BackupFolder, type ListedFile, type Manifest } from './backup-folder.ts'
import { damage, openBackup } from './check-backup.ts'
import { filesAtOnce, hashFile } from './hash-file.ts'
import { requireSpace } from '../machine/require-space.ts'

type Restored = { backup: BackupFolder; manifest: Manifest }

/**
 * Copies a backup into an empty data directory. Everything is copied and checked in a folder of its own first; while
 * that folder exists, the service does not start there.
 */
export async function restoreBackup(restoring: BackupRequest): Promise<Restored> {
  const { place, data } = restoring
  const opened = openBackup(place)
  requireEmpty(data)
  createDataDirectory(data.base)
  await claimDataDirectory(data)
  try {
    removeLeftovers(data)
    requireSpace(data.base, opened.manifest.bytes)
    mkdirSync(data.restoring, { mode: 0o700 })
    try {
      await copyAll(opened.backup, opened.files, { ...restoring, bytes: opened.manifest.bytes })
    } catch (error) {
      rmSync(data.restoring, { recursive: true, force: true })
      throw error
    }
    moveIntoPlace(data)
  } finally {
    restoring.progress.clear()
    releaseDataDirectory(data)
  }
  return { backup: opened.backup, manifest: opened.manifest }
}

async function copyAll(
  backup: BackupFolder,
  files: readonly ListedFile[],
  { data, progress, stop, bytes }: BackupRequest & { bytes: number },
): Promise<void> {
  const damaged: ListedFile[] = []
  progress.begin('Restoring', bytes)
  await atMost(filesAtOnce, files, stop, async (listed) => {
    const target = path.join(data.restoring, path.relative(dataName, listed.name))
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(path.join(backup.folder, listed.name), target, constants.COPYFILE_FICLONE)
    const hash = await hashFile(target, { sync: true, signal: stop })
    if (hash !== listed.hash) damaged.push(listed)
    progress.add(statSync(target).size)
  })
  stop.throwIfAborted()
  if (damaged.length > 0) throw damage(backup, 'has damaged', damaged)
}

/** The secrets come last: the folder that is left behind until then keeps the service from starting. */
function moveIntoPlace(data: DataDirectory): void {
  const names = readdirSync(data.restoring).sort(
    (a, b) => Number(isSecrets(a)) - Number(isSecrets(b)),
  )
  for (const name of names) {
    renameSync(path.join(data.restoring, name), path.join(data.base, name))
  }
  rmSync(data.restoring, { recursive: true })

  function isSecrets(name: string): boolean {
    return name === path.basename(data.secrets)
  }
}

/** Files that a data directory may have although it holds no service. */
const harmless = ['lost+found', '.gitkeep']

function requireEmpty(data: DataDirectory): void {
  if (!existsSync(data.base)) return
  if (findRunning(data)) {
    throw new StopWithMessage(
      `A service runs on ${data.base}. Restore into a new folder: SPOOL_DATA_DIR=… npm run admin -- restore …`,
    )
  }
  const own = [data.processes, data.restoring, data.logs].map((place) => path.basename(place))
  const leftovers = existsSync(data.restoring) ? restoredNames(data) : []
  const known = new Set([...own, ...leftovers, ...harmless])
  const others = readdirSync(data.base).filter((name) => !known.has(name))
  if (others.length === 0) return
  const shown = others.slice(0, 5).join(', ')
  throw new StopWithMessage(
    `${data.base} is not empty (${shown}). Restore into a new folder: SPOOL_DATA_DIR=… npm run admin -- restore …, ` +
      'or move this one away first.',
  )
}

/** What a restore that was broken off while it moved files had put in their place. */
function removeLeftovers(data: DataDirectory): void {
  if (!existsSync(data.restoring)) return
  for (const name of restoredNames(data)) {
    rmSync(path.join(data.base, name), { recursive: true, force: true })
  }
  rmSync(data.restoring, { recursive: true })
}

function restoredNames(data: DataDirectory): string[] {
  return [data.state, data.localAccount, data.secrets].map((place) => path.basename(place))
}

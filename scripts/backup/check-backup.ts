import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { atMost } from '../../containers/errors/at-most.ts'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import {
  findBackup,
  readList,
  readManifest,
  type BackupFolder,
  type ListedFile,
  type Manifest,
} from './backup-folder.ts'
import { filesAtOnce, hashFile } from './hash-file.ts'
import type { ProgressLine } from '../machine/progress-line.ts'

type ReadBackup = { backup: BackupFolder; manifest: Manifest; files: ListedFile[] }

/** Opens the backup at this place, or the newest one in it, if this version can restore it. */
export function openBackup(place: string): ReadBackup {
  const backup = findBackup(place)
  const manifest = readManifest(backup)
  refuseOtherSchema(backup, manifest)
  const files = readList(backup, manifest)
  const folder = realpathSync(backup.folder)
  // A link would bring a file from elsewhere on this machine into the service.
  const sizes = files.map(({ name }) => sizeOf(folder, name))
  const missing = files.filter((_, i) => sizes[i] === undefined)
  if (missing.length > 0) throw damage(backup, 'misses', missing)
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0)
  if (files.length !== manifest.files || bytes !== manifest.bytes) {
    throw new StopWithMessage(
      `${backup.manifest} tells of ${manifest.files} files with ${manifest.bytes} bytes, but the backup has ${files.length} with ${bytes}.`,
    )
  }
  return { backup, manifest, files }
}

/** Undefined if there is no such file in the folder itself. */
function sizeOf(folder: string, name: string): number | undefined {
  const place = path.join(folder, name)
  const found = lstatSync(place, { throwIfNoEntry: false })
  return found?.isFile() && realpathSync(place) === place ? found.size : undefined
}

/** Reads every file of the backup and compares it with the list. */
export async function checkFiles(
  { backup, manifest, files }: ReadBackup,
  progress: ProgressLine,
  stop: AbortSignal,
): Promise<void> {
  const damaged: ListedFile[] = []
  progress.begin('Checking', manifest.bytes)
  await atMost(filesAtOnce, files, stop, async (listed) => {
    const file = path.join(backup.folder, listed.name)
    const hash = await hashFile(file, { sync: false, signal: stop })
    if (hash !== listed.hash) damaged.push(listed)
    progress.add(statSync(file).size)
  })
  progress.clear()
  if (damaged.length > 0) throw damage(backup, 'has damaged', damaged)
}

const namedAtMost = 20

/** Names the files, so that an operator sees whether videos or records are damaged. */
export function damage(
  { folder }: BackupFolder,
  how: 'misses' | 'has damaged',
  files: readonly ListedFile[],
): StopWithMessage {
  const names = files.map(({ name }) => `  ${name}`).sort()
  const more = names.length > namedAtMost ? [`  and ${names.length - namedAtMost} more`] : []
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`
  return new StopWithMessage(
    [`${folder} ${how} ${count}:`, ...names.slice(0, namedAtMost), ...more].join('\n'),
  )
}

/** A migration that this checkout lacks was made by a later version, whatever number that has. */
function refuseOtherSchema({ folder }: BackupFolder, { version, migrations }: Manifest): void {
  const known = new Set(readdirSync(path.join(root, 'migrations')))
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new StopWithMessage(
    `${folder} was made by a newer version of Spool (${version}): this one does not know the migration ${unknown[0] ?? ''}. ` +
      'Check out that version, or a later one, and restore with it.',
  )
}

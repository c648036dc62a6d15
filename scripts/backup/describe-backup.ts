import { statSync } from 'node:fs'
import type { DataDirectory } from '../start/data/data-directory.ts'
import type { BackupFolder, Manifest } from './backup-folder.ts'
import { sizeText } from '../../client/src/cli/terminal/quantities.ts'
import type { Backup } from './take-backup.ts'

export function describeBackup(
  { folder, manifest, pausedMs, sharedBytes }: Backup,
  { data, removed }: { data: DataDirectory; removed: readonly string[] },
): string {
  const shared =
    sharedBytes > 0 ? `, of which ${sizeText(sharedBytes)} are shared with the one before it` : ''
  const isSameDisk = statSync(folder).dev === statSync(data.base).dev
  return [
    `Backed up to ${folder}`,
    '',
    ...contentsOf(manifest),
    `  ${manifest.files} files, ${sizeText(manifest.bytes)}${shared}`,
    ...(pausedMs > 0 ? [`  The service was paused for ${Math.ceil(pausedMs)} ms.`] : []),
    ...(removed.length > 0 ? [`  Removed: ${removed.join(', ')}`] : []),
    '',
    'It contains the secrets of the service: only you should be able to read it.',
    ...(isSameDisk ? ['It is on the same disk as the service: copy it to another machine.'] : []),
  ].join('\n')
}

export function describeCheck({ folder }: BackupFolder, manifest: Manifest): string {
  return [
    `${folder} is whole: ${manifest.files} files, ${sizeText(manifest.bytes)}.`,
    '',
    ...contentsOf(manifest),
  ].join('\n')
}

export function describeRestore(
  { folder }: BackupFolder,
  manifest: Manifest,
  data: DataDirectory,
): string {
  const { baseUrl, storageUrl } = manifest
  const storage =
    storageUrl !== undefined && storageUrl !== baseUrl ? `, STORAGE_URL ${storageUrl}` : ''
  return [
    `Restored ${folder} into ${data.base}`,
    '',
    ...contentsOf(manifest),
    '',
    'Start it with the settings that it had; they are not part of a backup:',
    '',
    `  SPOOL_DATA_DIR=${data.base} npm start`,
    '',
    ...(baseUrl === undefined
      ? []
      : [`Its base URL was ${baseUrl}${storage}. Links that were given out begin with it.`]),
    'Do not start the original again: both would process the same jobs and send the same webhooks.',
  ].join('\n')
}

function contentsOf({ createdAt, version, counts }: Manifest): string[] {
  const { accounts, people, keys, videos, unfinishedJobs, pendingWebhooks } = counts
  return [
    `  As it was at ${createdAt}, version ${version}`,
    `  ${counted(accounts, 'account')}, ${people === 1 ? '1 person' : `${people} people`}, ${counted(keys, 'key')}, ` +
      `${counted(videos, 'video')}, ${counted(unfinishedJobs, 'unfinished job')}, ${counted(pendingWebhooks, 'webhook')} due`,
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

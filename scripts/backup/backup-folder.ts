import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readJson } from '../machine/write-file.ts'
import { hashOf } from './hash-file.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'

/** Raise this when an earlier version would restore a backup wrongly. */
export const format = 1

const count = z.int().min(0)

/** `manifest.json`, written last: a folder without it is not a backup. */
const manifestSchema = z.object({
  format: z.int().min(1),
  /** The version of the service that made it. */
  version: z.string(),
  /** The moment whose state the backup has. */
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** As they were set when the service last ran. */
  baseUrl: z.string().optional(),
  storageUrl: z.string().optional(),
  counts: z.object({
    accounts: count,
    people: count,
    keys: count,
    videos: count,
    unfinishedJobs: count,
    pendingWebhooks: count,
  }),
  files: count,
  bytes: count,
  /** The SHA-256 of the list of files. */
  listHash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Manifest = z.infer<typeof manifestSchema>

/** The paths in one backup, named once. */
export function backupFolder(folder: string) {
  return {
    folder,
    manifest: path.join(folder, 'manifest.json'),
    /** The hash and the path of every file, as `sha256sum --check` reads them. */
    list: path.join(folder, 'SHA256SUMS'),
    data: path.join(folder, dataName),
  }
}
export type BackupFolder = ReturnType<typeof backupFolder>

export const dataName = 'data'

/** `2026-11-22T17-05-31.204Z`: the names of backups sort by their time. */
export function backupName(at: Date): string {
  return at.toISOString().replaceAll(':', '-')
}

const namePattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z$/

export const unfinishedPrefix = '.unfinished-'

/** Whole backups in a folder, the oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => namePattern.test(name))
    .filter((name) => existsSync(backupFolder(path.join(folder, name)).manifest))
    .sort()
}

/** The backup at this place, or the newest one in it. */
export function findBackup(place: string): BackupFolder {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StopWithMessage(`${place} is not a folder.`, 2)
  }
  if (existsSync(backupFolder(place).manifest)) return backupFolder(place)
  const newest = listBackups(place).at(-1)
  if (newest !== undefined) return backupFolder(path.join(place, newest))
  throw new StopWithMessage(
    `${place} is not a backup and contains none: a whole backup has a manifest.json.`,
  )
}

export function readManifest({ manifest }: BackupFolder): Manifest {
  const content = readJson(manifest)
  const newer = z.object({ format: z.int().min(format + 1) }).safeParse(content)
  if (newer.success) {
    throw new StopWithMessage(
      `${manifest} has format ${newer.data.format}; this version knows format ${format}. Restore it with a newer version of Spool.`,
    )
  }
  const parsed = manifestSchema.safeParse(content)
  if (parsed.success) return parsed.data
  throw new StopWithMessage(`${manifest} is damaged:\n${z.prettifyError(parsed.error)}`)
}

export type ListedFile = { hash: string; name: string }

/** What a backup has of a data directory; a restore writes nothing else into one. */
const dataPlaces = ['state/', 'local-account.json', 'secrets.json']

/**
 * Reads the list of files, as it was when the manifest was written. Names are relative to the backup, each is there once, and
 * they lead nowhere outside of it: the manifest and the list may have been rewritten together.
 */
export function readList({ list }: BackupFolder, { listHash }: Manifest): ListedFile[] {
  if (!existsSync(list)) throw new StopWithMessage(`${list} is missing.`)
  const text = readFileSync(list, 'utf8')
  if (hashOf(text) !== listHash) throw new StopWithMessage(`${list} is damaged.`)
  const seen = new Set<string>()
  return text.split('\n').flatMap((line, i) => {
    if (line === '') return []
    const [, hash, name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (hash === undefined || !isPlainName(name) || seen.has(name)) {
      throw new StopWithMessage(`${list} is damaged in line ${i + 1}.`)
    }
    seen.add(name)
    return [{ hash, name }]
  })
}

function isPlainName(name: string): boolean {
  const parts = name.split('/')
  const isNormal = parts.every((part) => !['', '.', '..'].includes(part)) && !/\p{Cc}/u.test(name)
  const inside = parts.slice(1).join('/')
  const isKnown = dataPlaces.some((place) =>
    place.endsWith('/') ? inside.startsWith(place) : inside === place,
  )
  return parts[0] === dataName && isNormal && isKnown
}

export function listText(files: readonly ListedFile[]): string {
  return files.map(({ hash, name }) => `${hash}  ${name}\n`).join('')
}

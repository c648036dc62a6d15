import path from 'node:path'
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  readdirSync,
} from 'node:fs'
import { parseEnv } from 'node:util'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { makeFolder, readJson, writeFileAtomically, writeJson } from '../machine/write-file.ts'
import type { DataDirectory } from '../start/data/data-directory.ts'
import {
  backupFolder,
  backupName,
  dataName,
  format,
  listText,
  unfinishedPrefix,
  type Manifest,
} from './backup-folder.ts'
import { ChangingFiles } from './copy-changing.ts'
import { CopiedFiles } from './copied-files.ts'
import { hashOf } from './hash-file.ts'
import { HeldObjects } from './held-objects.ts'
import type { ProgressLine } from '../machine/progress-line.ts'
import { requireSpace } from '../machine/require-space.ts'
import { namedObjects, mergeLogs } from './merge-logs.ts'
import { withStillMoment, type StillMoment } from './still-moment.ts'
import { codeOf } from '../../containers/errors/code-of.ts'

export type BackupRequest = {
  data: DataDirectory
  /** The folder of all backups, from which the newest one is restored, or a single backup. */
  place: string
  progress: ProgressLine
  stop: AbortSignal
}

export type Backup = {
  folder: string
  manifest: Manifest
  pausedMs: number
  /** Bytes of objects that a former backup has as well, stored once. */
  sharedBytes: number
}

/** A pass that copies less than this leaves little to do for the last one. */
const fewBytes = 32_000_000
const mostPasses = 5

/** Copies a service, running or stopped, into a new folder, which gets its name when the copy is whole. */
export async function takeBackup(request: BackupRequest): Promise<Backup> {
  requireOutside(request)
  makeFolder(request.place, request.place)
  const draft = path.join(request.place, `${unfinishedPrefix}${backupName(new Date())}`)
  return withStillMoment(request.data, async (still) => {
    const held = new HeldObjects(request.data.base, path.join(request.data.temporary, 'backup'))
    try {
      return await fill(draft, { ...request, still, held })
    } finally {
      request.progress.clear()
      held.release()
      rmSync(draft, { recursive: true, force: true })
    }
  })
}

type Making = BackupRequest & { still: StillMoment; held: HeldObjects }

async function fill(draft: string, making: Making): Promise<Backup> {
  const { data, place, stop } = making
  const copied = new CopiedFiles(backupFolder(draft), place)
  requireSpace(place, neededBytes(data, copied))
  const { changing, objects, at, pausedMs } = await copyMoment(draft, making)
  stop.throwIfAborted()
  const names = changing.filter((name) => existsSync(path.join(draft, dataName, name)))
  const contents = mergeLogs(path.join(draft, dataName), names)
  stop.throwIfAborted()
  const merged = names.filter((name) => existsSync(path.join(draft, dataName, name)))
  await copied.addObjects(objects, making)
  requireAllNamed(namedObjects(path.join(draft, dataName), merged), objects)
  await copied.addChanging(merged, making)
  const list = listText(copied.files)
  writeFileAtomically(backupFolder(draft).list, list, 0o600)
  const manifest: Manifest = {
    format,
    version: ownVersion(),
    createdAt: at.toISOString(),
    ...contents,
    ...addressesOf(data),
    files: copied.files.length,
    bytes: copied.bytes,
    listHash: hashOf(list),
  }
  stop.throwIfAborted()
  writeJson(backupFolder(draft).manifest, manifest, 0o600)
  chmodSync(draft, 0o700)
  const folder = path.join(place, backupName(at))
  renameSync(draft, folder)
  return { folder, manifest, pausedMs, sharedBytes: copied.sharedBytes }
}

/** Everything that changes as it is at one moment, and the list of the objects of that moment. */
async function copyMoment(draft: string, { data, still, held, stop }: Making) {
  const copy = new ChangingFiles(data.base, path.join(draft, dataName))
  for (let pass = 1; pass <= mostPasses; pass++) {
    const bytes = copy.pass(listOf(data).changing)
    if (stop.aborted || bytes < fewBytes) break
  }
  held.hold(listOf(data).objects)
  stop.throwIfAborted()
  const { value, pausedMs } = await still((keepTime) => {
    const { changing, objects } = listOf(data)
    copy.pass(changing, keepTime)
    held.hold(objects)
    return { objects, at: new Date() }
  })
  return { ...value, changing: copy.names, pausedMs }
}

/** By their paths in the data directory. What is not named here can be made again, or belongs to running processes. */
function listOf(data: DataDirectory): { changing: string[]; objects: string[] } {
  const within = (names: readonly string[]) =>
    names.map((name) => path.join(path.relative(data.base, data.state), name))
  const { changing, objects } = listState(data.state)
  const own = [data.secrets, data.localAccount].filter((file) => existsSync(file))
  return {
    changing: [...own.map((file) => path.relative(data.base, file)), ...within(changing)],
    objects: within(objects),
  }
}

function neededBytes(data: DataDirectory, copied: CopiedFiles): number {
  const { changing, objects } = listOf(data)
  const fresh = objects.filter((name) => copied.formerHash(name) === undefined)
  return [...changing, ...fresh].reduce(
    (sum, name) =>
      sum + (statSync(path.join(data.base, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

/** Rows that name a missing file would make a backup that looks whole and is not. */
function requireAllNamed(named: ReadonlySet<string>, objects: readonly string[]): void {
  const there = new Set(objects.map((name) => path.basename(name)))
  const missing = [...named].filter((name) => !there.has(name))
  if (missing.length === 0) return
  throw new StopWithMessage(
    `The bucket lacks ${missing.length} files that its rows name, such as ${missing[0] ?? ''}.`,
  )
}

function requireOutside({ data, place }: BackupRequest): void {
  const inside = path.relative(data.base, place)
  if (inside.startsWith('..') || path.isAbsolute(inside)) return
  throw new StopWithMessage(
    `${place} is in the data directory ${data.base}: a backup there is lost together with it.`,
    2,
  )
}

function ownVersion(): string {
  const { version } = readJson(path.join(root, 'package.json')) as { version: string }
  return version
}

function addressesOf({ workerEnv }: DataDirectory): Pick<Manifest, 'baseUrl' | 'storageUrl'> {
  if (!existsSync(workerEnv)) return {}
  const { BASE_URL: baseUrl, STORAGE_URL: storageUrl } = parseEnv(readFileSync(workerEnv, 'utf8'))
  return { ...(baseUrl && { baseUrl }), ...(storageUrl && { storageUrl }) }
}

/** The simulator keeps each object of a bucket in a file of its own in such a folder, and never changes one. */
const objectFolder = 'blobs'

type Listed = {
  /** Files that change: databases and their logs. */
  changing: string[]
  /** Files of objects, each written once under a random name. */
  objects: string[]
}

/** Lists the files of the state by their paths in it. */
function listState(folder: string): Listed {
  const listed: Listed = { changing: [], objects: [] }
  collect(folder, '', listed)
  return listed
}

function collect(base: string, inside: string, listed: Listed): void {
  for (const entry of readFolder(path.join(base, inside))) {
    const name = path.join(inside, entry.name)
    if (entry.isDirectory()) collect(base, name, listed)
    else if (path.basename(inside) === objectFolder) {
      // A file that is still being written has a name that begins with a dot.
      if (!entry.name.startsWith('.')) listed.objects.push(name)
    } else if (!entry.name.endsWith('-shm')) {
      // What SQLite shares between processes is made again from the log when a database is opened.
      listed.changing.push(name)
    }
  }
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // A folder may be removed while the service runs.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import { makeFolder } from '../../machine/write-file.ts'

const forOthers = 0o077
const sticky = 0o1000

/** The paths of everything in SPOOL_DATA_DIR, named once. */
export function dataDirectory(base: string) {
  const at = (...parts: string[]) => path.join(base, ...parts)
  return {
    base,
    /** The data of the runtime: D1, R2, Durable Objects. */
    state: at('state'),
    secrets: at('secrets.json'),
    localAccount: at('local-account.json'),
    workerEnv: at('worker.env'),
    devFile: at('dev.json'),
    /** The running processes, for the next start to find. */
    processes: at('pids.json'),
    /** The backup that is being made. */
    backupLock: at('backup.json'),
    /** What a restore has copied so far; it is gone when the restore is complete. */
    restoring: at('restoring'),
    logs: at('logs'),
    /** Speech models that `npm run models` has fetched. */
    models: at('models'),
    work: (number: number) => at('work', String(number)),
    /** Temporary files of running programs; emptied at every start. */
    temporary: at('tmp'),
    /** Wrangler's configuration, cache and registry of running Workers, separate for every service. */
    wrangler: at('wrangler'),
    /** wrangler.toml as this data directory needs it. */
    devConfig: at('wrangler', 'wrangler.toml'),
  }
}
export type DataDirectory = ReturnType<typeof dataDirectory>

/** Makes the directory itself, or says why it can never be made. */
export function makeBase(base: string): void {
  makeFolder(base, `SPOOL_DATA_DIR=${base}`)
}

export function createDataDirectory(base: string): DataDirectory {
  const data = dataDirectory(base)
  // Secrets, sources and results belong to one user and nobody else may read them.
  makeBase(base)
  closeToOthers(data)
  mkdirSync(data.logs, { recursive: true, mode: 0o700 })
  return data
}

/**
 * Closes an existing data directory to other users, with all that is in it. Files of other
 * users in it stay unchanged: nobody else can reach them any more.
 */
function closeToOthers(data: DataDirectory): void {
  const { base, work, ...places } = data
  refuseShared(base)
  takeFromOthers(base)
  for (const place of [path.dirname(work(1)), ...Object.values(places)]) closeAll(place)
}

/** Closing a shared directory would lock others out of their own files. */
function refuseShared(base: string): void {
  const isShared = (statSync(base).mode & sticky) !== 0
  if (!isShared && base !== path.parse(base).root && base !== homedir()) return
  throw new StopWithMessage(
    `SPOOL_DATA_DIR=${base} is not for Spool alone. Name a directory in it, such as ${path.join(base, 'spool')}`,
    2,
  )
}

function closeAll(place: string): void {
  const found = lstatSync(place, { throwIfNoEntry: false })
  // A link may lead out of the directory.
  if (!found || found.isSymbolicLink()) return
  takeFromOthers(place)
  if (!found.isDirectory()) return
  for (const name of readdirSync(place)) closeAll(path.join(place, name))
}

function takeFromOthers(place: string): void {
  const { mode } = statSync(place)
  if ((mode & forOthers) === 0) return
  try {
    chmodSync(place, mode & 0o777 & ~forOthers)
  } catch (cause) {
    const message = `${place} is open to other users of this machine, and its mode cannot be changed. Spool must own SPOOL_DATA_DIR.`
    throw new StopWithMessage(message, 2, { cause })
  }
}

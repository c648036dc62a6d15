import { existsSync, statSync, rmSync } from 'node:fs'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import {
  claimDataDirectory,
  findRunning,
  releaseDataDirectory,
  identity,
  ownIdentity,
} from '../start/data/claim-data-directory.ts'
import type { DataDirectory } from '../start/data/data-directory.ts'
import { readDevFile } from '../start/dev-file.ts'
import { duringPause, type KeepTime } from './pause-service.ts'
import { createJson, readJson, writeJson } from '../machine/write-file.ts'
import { isAlive } from '../machine/process-table.ts'

/** Runs the work at a moment at which nothing is written. */
export type StillMoment = <Value>(
  work: (keepTime: KeepTime) => Value,
) => Promise<{ value: Value; pausedMs: number }>

/** Keeps other backups away, and a stopped service from being started, until the work has ended. */
export async function withStillMoment<Value>(
  data: DataDirectory,
  work: (still: StillMoment) => Promise<Value>,
): Promise<Value> {
  requireOwn(data)
  const running = findRunning(data)
  if (!running) await claimDataDirectory(data)
  try {
    const release = lockBackups(data)
    try {
      return await work(running ? pauseOf(data) : asItIs)
    } finally {
      release()
    }
  } finally {
    if (!running) releaseDataDirectory(data)
  }
}

const asItIs: StillMoment = async (work) => ({ value: work(() => undefined), pausedMs: 0 })

/** The leader is looked up late, because the Worker may have been started again by then. */
function pauseOf(data: DataDirectory): StillMoment {
  return async (work) => {
    const { workerPid } = readDevFile(data.devFile) ?? {}
    const leader = findRunning(data)?.parts.find(({ pid }) => pid === workerPid)
    if (leader) return duringPause(leader, work)
    throw new StopWithMessage(
      `The service of ${data.base} is starting or stopping, or its Worker was started by hand. ` +
        'Try again when it runs, or stop it first.',
    )
  }
}

/** Files that another user makes in the data directory would be closed to the service. */
function requireOwn({ base, state }: DataDirectory): void {
  if (!existsSync(state)) {
    throw new StopWithMessage(
      `${base} has no data of a service. Point SPOOL_DATA_DIR at its data directory.`,
    )
  }
  const owner = statSync(base).uid
  if (process.getuid === undefined || process.getuid() === owner) return
  throw new StopWithMessage(
    `${base} belongs to the user with the number ${owner}: make the backup as that user, such as with sudo -u.`,
  )
}

/** Allows one backup of a service at a time: the end of one pause would end that of another. */
function lockBackups({ backupLock, base }: DataDirectory): () => void {
  const own = ownIdentity()
  if (!createJson(backupLock, own)) {
    const other = identity.safeParse(readJson(backupLock))
    if (other.success && isAlive(other.data)) {
      throw new StopWithMessage(`A backup of ${base} is being made (process ${other.data.pid}).`)
    }
    writeJson(backupLock, own, 0o600)
  }
  return () => rmSync(backupLock, { force: true })
}

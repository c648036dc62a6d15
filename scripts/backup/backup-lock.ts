import { rmSync } from 'node:fs'
import { createJson } from '../machine/create-json.ts'
import { isAlive } from '../machine/process-table.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { readJson, writeJson } from '../machine/write-file.ts'
import { identity, ownIdentity } from '../start/data/claim-data-directory.ts'
import type { DataDirectory } from '../start/data/data-directory.ts'

/** Allows one backup of a service at a time: the end of one pause would end that of another. */
export function lockBackups({ backupLock, base }: DataDirectory): () => void {
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

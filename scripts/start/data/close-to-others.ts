import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'

const forOthers = 0o077
const sticky = 0o1000

/**
 * Closes an existing data directory to other users, with all that is in it. Files of other
 * users in it stay unchanged: nobody else can reach them any more.
 */
export function closeToOthers(data: DataDirectory): void {
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

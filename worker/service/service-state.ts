import { readSettings, type Env } from '../settings.ts'
import { readServiceState, type StoredState } from '../store/service-state.ts'
import { askMediaWorkers, type MediaWorkerState } from './jobs/ask-media-workers.ts'
import type { DiskRoom } from '../contract/job/disk-space.ts'
import { readDiskRoom } from './limits/disk-room.ts'
import { judgeFill, noteDatabaseBytes, type DatabaseFill } from './limits/database-fill.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'

export type ServiceState = StoredState & {
  at: number
  database: DatabaseFill
  /** undefined where the service runs on no disk of its own. */
  disk: DiskRoom | undefined
  mediaWorkers: MediaWorkerState[]
}

const sharedForMs = 5_000
const shared = isolateMemory<ServiceState | undefined>(() => undefined)

/**
 * The state of the whole service, for its operator. Requests within a few seconds share one answer, so that scrapes and
 * open pages do not add to the load that they observe.
 */
export async function readState(env: Env, now: number): Promise<ServiceState> {
  const { current } = shared
  if (current && now >= current.at && now < current.at + sharedForMs) return current
  const settings = readSettings(env)
  const [stored, mediaWorkers, disk] = await Promise.all([
    readServiceState(env.DB),
    askMediaWorkers(settings.mediaWorkers.urls),
    readDiskRoom(env, now),
  ])
  noteDatabaseBytes(stored.databaseBytes, now)
  const database = judgeFill(stored.databaseBytes, settings.mostDatabaseBytes)
  const state = { ...stored.state, at: now, database, disk, mediaWorkers }
  shared.current = state
  return state
}

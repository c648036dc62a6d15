import { readSettings, type Env } from '../settings.ts'
import { readServiceState, type StoredState } from '../store/service-state.ts'
import { askMediaWorkers, type MediaWorkerState } from './ask-media-workers.ts'
import { isolateMemory } from './isolate-memory.ts'

export type ServiceState = StoredState & {
  at: number
  databaseBytes: number
  mediaWorkers: MediaWorkerState[]
}

/** What a D1 database may hold. */
export const mostDatabaseBytes = 10_000_000_000

const sharedForMs = 5_000
const shared = isolateMemory<ServiceState | undefined>(() => undefined)

/**
 * The state of the whole service, for its operator. All who ask within seconds get one answer, so that no number of
 * scrapes and open pages adds to the load that they look at.
 */
export async function readState(env: Env, now: number): Promise<ServiceState> {
  const { current } = shared
  if (current && now >= current.at && now < current.at + sharedForMs) return current
  const [stored, mediaWorkers] = await Promise.all([
    readServiceState(env.DB),
    askMediaWorkers(readSettings(env).mediaWorkers.urls),
  ])
  const state = { ...stored.state, at: now, databaseBytes: stored.databaseBytes, mediaWorkers }
  shared.current = state
  return state
}

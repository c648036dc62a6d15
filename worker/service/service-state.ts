import { readSettings, type Env } from '../settings.ts'
import { addStates, readServiceState, type StoredState } from '../store/service-state.ts'
import { askMediaWorkers, type MediaWorkerState } from './ask-media-workers.ts'
import { judgeFill, noteDatabaseBytes, type DatabaseFill } from './database-fill.ts'
import { isolateMemory } from './isolate-memory.ts'
import { allShards } from './shards.ts'

export type ServiceState = StoredState & {
  at: number
  /** Each database, the first one first. */
  databases: (DatabaseFill & { shard: number })[]
  mediaWorkers: MediaWorkerState[]
}

const sharedForMs = 5_000
const shared = isolateMemory<ServiceState | undefined>(() => undefined)

/**
 * The state of the whole service, for its operator. All who ask within seconds get one answer, so that no number of
 * scrapes and open pages adds to the load that they look at.
 */
export async function readState(env: Env, now: number): Promise<ServiceState> {
  const { current } = shared
  if (current && now >= current.at && now < current.at + sharedForMs) return current
  const settings = readSettings(env)
  const shards = allShards(env)
  const [stored, mediaWorkers] = await Promise.all([
    Promise.all(shards.map(async ({ DB }) => readServiceState(DB))),
    askMediaWorkers(settings.mediaWorkers.urls),
  ])
  const databases = stored.map(({ databaseBytes }, shard) => {
    noteDatabaseBytes({ shard }, databaseBytes, now)
    return { shard, ...judgeFill(databaseBytes, settings.mostDatabaseBytes) }
  })
  const sums = addStates(stored.map((one) => one.state))
  const state = { ...sums, at: now, databases, mediaWorkers }
  shared.current = state
  return state
}

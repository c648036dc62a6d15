import { callStorage } from './database.ts'
import type { AccountDatabase } from './databases.ts'
import { livesHereText } from './places.ts'

/** What waits and what goes wrong in the whole service, and how much there is. Times are in milliseconds. */
export type StoredState = {
  queued: number
  running: number
  oldestQueuedAt: number | null
  deadLettered: number
  deadLetteredOpen: number
  deliveriesPending: number
  deliveriesExhausted: number
  oldestDueAt: number | null
  succeeded: number
  failed: number
  canceled: number
  secondsIn: number
  secondsOut: number
  processorSeconds: number
  copiesFailed: number
  storageBytes: number
}

/** Every count is of rows that an index has by themselves: what waits, or what has failed lately. */
const counts = `SELECT
  (SELECT count(*) FROM videos AS v WHERE v.status = 'queued' AND ${livesHereText('v.account_id')}) AS queued,
  (SELECT count(*) FROM videos AS v WHERE v.status = 'running' AND ${livesHereText('v.account_id')}) AS running,
  (SELECT min(v.created_at) FROM videos AS v WHERE v.status = 'queued' AND ${livesHereText('v.account_id')}) AS oldestQueuedAt,
  (SELECT count(*) FROM jobs AS j WHERE j.dead_lettered_at IS NOT NULL AND ${livesHereText('j.account_id')}) AS deadLettered,
  (SELECT count(*) FROM jobs AS j
    WHERE j.dead_lettered_at IS NOT NULL AND j.finished_at IS NULL AND ${livesHereText('j.account_id')}) AS deadLetteredOpen,
  (SELECT count(*) FROM webhook_deliveries AS d
    WHERE d.status = 'pending' AND ${livesHereText('d.account_id')}) AS deliveriesPending,
  (SELECT count(*) FROM webhook_deliveries AS d
    WHERE d.status = 'exhausted' AND ${livesHereText('d.account_id')}) AS deliveriesExhausted,
  (SELECT min(d.created_at) FROM webhook_deliveries AS d
    WHERE d.status = 'pending' AND ${livesHereText('d.account_id')}) AS oldestDueAt`

/** One row for each account. */
const totals = `SELECT
  coalesce(sum(succeeded), 0) AS succeeded,
  coalesce(sum(failed), 0) AS failed,
  coalesce(sum(canceled), 0) AS canceled,
  coalesce(sum(seconds_in), 0) AS secondsIn,
  coalesce(sum(seconds_out), 0) AS secondsOut,
  coalesce(sum(processor_seconds), 0) AS processorSeconds,
  coalesce(sum(copies_failed), 0) AS copiesFailed,
  coalesce(sum(kept_bytes), 0) AS storageBytes
  FROM usage_totals WHERE ${livesHereText('usage_totals.account_id')}`

/** Returns the size of the database too, which D1 tells with every answer. */
export async function readServiceState(
  d1: AccountDatabase,
): Promise<{ state: StoredState; databaseBytes: number }> {
  return callStorage(async () => {
    const [counted, summed] = await d1.batch<Partial<StoredState>>([
      d1.prepare(counts),
      d1.prepare(totals),
    ])
    // Both statements name every field, and each answers with one row.
    const state = { ...counted?.results[0], ...summed?.results[0] } as StoredState
    return { state, databaseBytes: counted?.meta.size_after ?? 0 }
  })
}

/** The state of all databases together. */
export function addStates(states: readonly StoredState[]): StoredState {
  const sum = (field: Exclude<keyof StoredState, 'oldestQueuedAt' | 'oldestDueAt'>) =>
    states.reduce((total, state) => total + state[field], 0)
  return {
    queued: sum('queued'),
    running: sum('running'),
    oldestQueuedAt: earliest(states.map((state) => state.oldestQueuedAt)),
    deadLettered: sum('deadLettered'),
    deadLetteredOpen: sum('deadLetteredOpen'),
    deliveriesPending: sum('deliveriesPending'),
    deliveriesExhausted: sum('deliveriesExhausted'),
    oldestDueAt: earliest(states.map((state) => state.oldestDueAt)),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    canceled: sum('canceled'),
    secondsIn: sum('secondsIn'),
    secondsOut: sum('secondsOut'),
    processorSeconds: sum('processorSeconds'),
    copiesFailed: sum('copiesFailed'),
    storageBytes: sum('storageBytes'),
  }
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

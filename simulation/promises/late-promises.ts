import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** How long a job may wait, and how long all of its attempts may take, in milliseconds. */
export type TimeLimits = { queueMs: number; jobMs: number }

/** An object that does not answer gets a quarter of an hour. */
const overdueMs = 40 * 60_000
/** While nothing fails, media workers report every ten seconds, and the line looks for overdue jobs twice in two minutes. */
const promptMs = 150_000
/** Longer than the object of a job stays silent, and than any lateness lasts. */
const calmMs = 3 * 3_600_000
/** The sweep looks after two minutes. An attempt takes a quarter of one, and a receiver has a few at once. */
const lateWebhookMs = 100_000
/** How late a statement may arrive whose sender has died. */
const outlivedMs = 110_000
/** Longer than a media worker freezes. */
const undisturbedMs = 25 * 60_000

/** A job whose time is over must end, if nothing has gone wrong for a while. */
export function lookForLate(world: World, database: Database, limits: TimeLimits): void {
  const { faults, loop, now } = world
  if (faults.lastHarmAt > now - overdueMs) return
  const isCalm = Math.max(faults.lastHarmAt, faults.lastOf('object silent')) < now - calmMs
  const graceMs = isCalm ? promptMs + world.lateMs : overdueMs
  const late = database.read(
    `SELECT id FROM jobs WHERE finished_at IS NULL
     AND ((started_at IS NULL AND created_at < ?) OR started_at < ?)`,
    loop.wall - limits.queueMs - graceMs,
    loop.wall - limits.jobMs - graceMs,
  )
  for (const { id } of late) world.break(`${String(id)} has not ended, and its time is over`)
}

/** If nothing has gone wrong since its last attempt, a webhook is tried again when it is due, and not only by the sweep. */
export function lookForLateWebhooks(world: World, database: Database): void {
  const { faults, loop, now } = world
  if (faults.lastOf('receiver hangs') > now - 600_000) return
  // What was written before a step of the clock has the time of before.
  const hasStepped = faults.lastOf('clock steps') > now - 86_400_000
  const late = database.read(
    `SELECT id FROM webhook_deliveries WHERE finished_at IS NULL AND due_at < ?
     AND max(coalesce(unixepochOf(attempts ->> '$[#-1].at'), 0), round_at) > ?`,
    loop.wall - lateWebhookMs,
    Math.max(faults.lastHarmAt, faults.lastOf('sender dies') + outlivedMs) +
      loop.skew +
      (hasStepped ? undisturbedMs : 0),
  )
  for (const { id } of late) world.break(`${String(id)} is due, and nobody sends it`)
}

import type { BatchOrder } from '../../actors/batch-order.ts'
import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'

/** Without a fault, the last of its videos ends a batch at once. */
const promptMs = 30_000
const undisturbedMs = 25 * 60_000
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000
/** The sweep goes on with a cancel that was lost. */
const canceledWithinMs = 40 * 60_000

/** Whether batches end once, with the last of their videos, and tell it. */
export class WatchBatches {
  readonly #world: World
  readonly #database: Database

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
  }

  /** A cancel was confirmed. If nothing fails, all videos have ended soon, and the sweep has not to go on with it. */
  canceled(batchId: string): void {
    const { faults, loop, now } = this.#world
    const isCalm = (): boolean =>
      faults.lastHarmAt < now - undisturbedMs && faults.lastOf('object silent') < now - silentMs
    if (!isCalm()) return
    loop.in(promptMs, () => {
      const sql = "SELECT id FROM videos WHERE batch_id = ? AND status IN ('queued', 'running')"
      const [open] = this.#database.read(sql, batchId)
      if (open && isCalm())
        this.#world.break(`${batchId} was canceled, and ${String(open['id'])} has not ended`)
    })
  }

  /** A batch has just ended, and its event is written in the same moment. */
  ended(batchId: string): void {
    const [row] = this.#database.read<{
      counts: string
      open: number
      last: number
      endedAt: number
      told: number
      isListenedTo: number
    }>(
      `SELECT b.counts, b.ended_at AS endedAt,
        (SELECT count(*) FROM videos AS v WHERE v.batch_id = b.id AND v.status IN ('queued', 'running')) AS open,
        (SELECT max(v.finished_at) FROM videos AS v WHERE v.batch_id = b.id) AS last,
        (SELECT count(*) FROM webhook_events AS e WHERE e.id = b.ended_event_id) AS told,
        (b.webhook_url IS NOT NULL OR EXISTS (SELECT 1 FROM webhook_endpoints AS w
          WHERE w.account_id = b.account_id AND w.disabled_at IS NULL AND w.event_types IS NULL)) AS isListenedTo
       FROM batches AS b WHERE b.id = ?`,
      batchId,
    )
    if (!row) return
    if (row.open > 0) this.#world.break(`${batchId} has ended, and ${row.open} videos have not`)
    if (row.told !== row.isListenedTo)
      this.#world.break(`${batchId} has ended with ${row.told} events`)
    const counted = this.#database.read<{ status: string; n: number }>(
      'SELECT status, count(*) AS n FROM videos WHERE batch_id = ? GROUP BY status',
      batchId,
    )
    const counts = JSON.parse(row.counts) as Record<string, number>
    for (const { status, n } of counted) {
      if (counts[status] !== n) {
        this.#world.break(`${batchId} counts ${String(counts[status])} as ${status}, of ${n}`)
      }
    }
    const { lastHarmAt } = this.#world.faults
    if (row.endedAt > row.last + promptMs && lastHarmAt < this.#world.now - undisturbedMs) {
      this.#world.break(`${batchId} has ended ${row.endedAt - row.last} ms after its last video`)
    }
  }

  #wasSilent(jobId: string): boolean {
    const { struck } = this.#world.faults
    return struck.some(({ mishap, key }) => mishap === 'object silent' && key.startsWith(jobId))
  }

  /** Hours after the last fault: every batch has ended, and a cancel has kept its videos from being made. */
  judge(orders: readonly BatchOrder[]): void {
    for (const { name, batchId, isOver } of orders) {
      if (batchId !== undefined && !isOver) this.#world.break(`${name} still waits for ${batchId}`)
    }
    const open = this.#database.read('SELECT id FROM batches WHERE ended_at IS NULL')
    for (const { id } of open) this.#world.break(`${String(id)} has not ended`)
    const worked = this.#database.read(
      `SELECT v.id, j.id AS job FROM batches AS b JOIN videos AS v ON v.batch_id = b.id JOIN jobs AS j ON j.video_id = v.id
       WHERE v.status = 'succeeded' AND v.finished_at > b.canceled_at + ?`,
      canceledWithinMs,
    )
    for (const { id, job } of worked) {
      // The line may call a job that answers again before the sweep comes and cancels it.
      if (this.#wasSilent(String(job))) continue
      this.#world.break(`${String(id)} was made long after its batch was canceled`)
    }
  }
}

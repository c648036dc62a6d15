import { lateAt } from '../service/decide-attempt.ts'
import type { Line } from '../service/line.ts'
import type { Env, Settings } from '../settings.ts'
import type { AccountDatabase } from '../store/databases.ts'
import { listQueued, readHeld, type LineRow, type LineStep } from '../store/line.ts'
import { pastJobs } from './line-forecast.ts'

const rowsAtOnce = 500
/** More jobs than any deployment runs at once. */
const mostRunning = 20_000

/**
 * Brings the line to what all databases have, in steps between which other calls are served: a job that has moved meanwhile stays as it
 * is. Returns how long recent jobs have worked.
 */
export async function readLine(
  shards: readonly Pick<Env, 'DB' | 'shard'>[],
  line: Line,
  settings: Pick<Settings, 'maxQueueMs' | 'maxJobMs'>,
): Promise<number[]> {
  const before = line.known()
  const moved = (line.moved = new Set<string>())
  try {
    const held = await Promise.all(
      shards.map(async ({ DB }) => readHeld(DB, { running: mostRunning, past: pastJobs })),
    )
    const latest = Math.max(...held.map((one) => one.latest))
    const seen = new Set<string>()
    for (const { jobId, ...job } of held.flatMap(({ running }) => running)) {
      seen.add(jobId)
      if (!moved.has(jobId)) line.hold(jobId, job)
    }
    for (const { DB, shard } of shards) {
      await readQueued(DB, (row) => {
        seen.add(row.jobId)
        line.setPlan(row.accountId, row, latest)
        if (moved.has(row.jobId)) return
        const { jobId, accountId, createdAt, chain, startedAt, jobCreatedAt } = row
        const deadline = lateAt({ createdAt: jobCreatedAt, startedAt }, settings)
        line.join({ jobId, accountId, createdAt, chain, deadline, shard })
      })
    }
    const gone = [...before.waiting, ...before.held].filter((id) => !seen.has(id) && !moved.has(id))
    for (const jobId of gone) line.end(jobId)
    return held.flatMap(({ workedMs }) => workedMs)
  } finally {
    line.moved = undefined
  }
}

async function readQueued(d1: AccountDatabase, keep: (row: LineRow) => void): Promise<void> {
  let after: LineStep | undefined
  for (;;) {
    const rows = await listQueued(d1, after, rowsAtOnce)
    for (const row of rows) keep(row)
    after = rows.at(-1)
    if (rows.length < rowsAtOnce) return
  }
}

import { lateAt } from '../service/jobs/decide-attempt.ts'
import type { Worked } from '../service/line/forecast-line.ts'
import type { Line } from '../service/line/line.ts'
import type { Settings } from '../settings.ts'
import { listQueued, readHeld, type LineRow, type LineStep } from '../store/jobs/line-rows.ts'
import { pastJobs } from './line-forecast.ts'

const rowsAtOnce = 500
/** More jobs than any deployment runs at once. */
const mostRunning = 20_000

/**
 * Brings the line up to date with D1. Other calls are served between the steps; a job that has moved meanwhile is left as
 * it is. Returns how long recent jobs have worked, the oldest first.
 */
export async function readLine(
  d1: D1Database,
  line: Line,
  settings: Pick<Settings, 'maxQueueMs' | 'maxJobMs'>,
): Promise<Worked[]> {
  const before = line.known()
  const moved = (line.moved = new Set<string>())
  try {
    const held = await readHeld(d1, { running: mostRunning, past: pastJobs })
    const seen = new Set<string>()
    for (const { jobId, ...job } of held.running) {
      seen.add(jobId)
      if (!moved.has(jobId)) line.hold(jobId, job)
    }
    await readQueued(d1, (row) => {
      seen.add(row.jobId)
      line.setPlan(row.accountId, row, held.latest)
      if (moved.has(row.jobId)) return
      const { jobId, accountId, createdAt, chain, startedAt, jobCreatedAt } = row
      const deadline = lateAt({ createdAt: jobCreatedAt, startedAt }, settings)
      line.join({ jobId, accountId, createdAt, chain, deadline })
    })
    const gone = [...before.waiting, ...before.held].filter((id) => !seen.has(id) && !moved.has(id))
    for (const jobId of gone) line.end(jobId)
    return held.worked.toReversed()
  } finally {
    line.moved = undefined
  }
}

async function readQueued(d1: D1Database, keep: (row: LineRow) => void): Promise<void> {
  let after: LineStep | undefined
  for (;;) {
    const rows = await listQueued(d1, after, rowsAtOnce)
    for (const row of rows) keep(row)
    after = rows.at(-1)
    if (rows.length < rowsAtOnce) return
  }
}

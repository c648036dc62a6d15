import type { AttemptTrace } from '../../contract/job/report.ts'
import type { Env } from '../../settings.ts'
import { findTrace, putTrace, type StoredTrace } from '../../store/jobs/traces.ts'
import type { AttemptRow } from '../../store/tables/tables.ts'
import { describeError, log } from '../log.ts'

/**
 * Moves the bulk of a trace to the bucket. If the bucket does not take it, the row keeps all of it: no end of a job waits
 * for its trace.
 */
export async function keepTrace(
  env: Env,
  claim: { videoId: string; fence: number },
  trace: AttemptTrace | undefined,
): Promise<StoredTrace | undefined> {
  if (!trace) return trace
  const isBulky = trace.commands.length > 0 || trace.plan !== undefined || trace.parts !== undefined
  if (!isBulky) return trace
  try {
    return await putTrace(env.BUCKET, claim, trace)
  } catch (error) {
    log('warn', 'a trace stays in the database', { ...claim, ...describeError(error) })
    return trace
  }
}

/** The attempts with their whole traces. One whose object is gone keeps what its row has. */
export async function withTraces(env: Env, rows: readonly AttemptRow[]): Promise<AttemptRow[]> {
  return Promise.all(
    rows.map(async (row) => {
      if (row.trace?.key === undefined) return row
      return { ...row, trace: (await findTrace(env.BUCKET, row.trace.key)) ?? row.trace }
    }),
  )
}

import type { JobRecord } from '../../contract/job/job-record.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import { isPhase } from '../../contract/video/video-state.ts'
import type { JobWithVideo } from '../../store/jobs/jobs.ts'
import type { AttemptRow } from '../../store/tables/tables.ts'
import { timestamp, timestampOrNull } from '../videos/describe-video.ts'

/**
 * The public record of a job: its attempts, how long each phase took, and why it failed. `parts`: those that the running
 * attempt has given to other media workers.
 */
export function describeJob(
  { job, video }: JobWithVideo,
  attempts: readonly AttemptRow[],
  parts: readonly ShownPart[] = [],
): JobRecord {
  return {
    jobId: job.id,
    videoId: video.id,
    status: video.status,
    phase: video.status === 'running' && isPhase(video.phase) ? video.phase : null,
    progressPercent: Math.floor(video.progressPercent),
    error: job.error,
    attempts: attempts.map((row) => ({
      ...describeAttempt(row, parts),
      // If the result was reused, the attempt that made it was the other video's and cost this one nothing.
      cpuSeconds: row.jobId === job.id ? secondsOf(row.trace?.processorMs) : null,
    })),
    createdAt: timestamp(job.createdAt),
    startedAt: timestampOrNull(job.startedAt),
    finishedAt: timestampOrNull(job.finishedAt),
    lastUpdatedAt: timestamp(video.updatedAt),
  }
}

function secondsOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms) / 1000
}

function describeAttempt(
  row: AttemptRow,
  running: readonly ShownPart[],
): Omit<JobRecord['attempts'][number], 'cpuSeconds'> {
  return {
    attempt: row.attempt,
    startedAt: timestamp(row.startedAt),
    finishedAt: timestampOrNull(row.finishedAt),
    outcome: row.outcome,
    fault: row.trace?.fault ?? null,
    phases: row.trace?.phases ?? [],
    commands: row.trace?.commands ?? [],
    parts: row.finishedAt === null ? [...running] : (row.trace?.parts ?? []),
    plan: row.trace?.plan ?? null,
  }
}

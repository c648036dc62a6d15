import { eq } from 'drizzle-orm'
import { openDatabase } from '../../../worker/store/database.ts'
import {
  jobAttempts,
  jobs,
  videos,
  webhookDeliveries,
  webhookEvents,
  type AttemptRow,
  type DeliveryRow,
  type EventRow,
  type JobRow,
  type VideoRow,
} from '../../../worker/store/tables/tables.ts'
import { bindings } from '../../support/worker/bindings.ts'

/** The rows of one run in D1: its videos are found by their name, its webhooks by their address. */
export type FoundRun = {
  videos: VideoRow[]
  video: VideoRow | undefined
  job: JobRow | undefined
  events: { event: EventRow; delivery: DeliveryRow | null }[]
}

export const foundNothing: FoundRun = { videos: [], video: undefined, job: undefined, events: [] }

export async function findRun({ name, url }: { name: string; url: string }): Promise<FoundRun> {
  const db = openDatabase(bindings.DB)
  const [rows, events] = await Promise.all([
    db
      .select({ video: videos, job: jobs })
      .from(videos)
      .leftJoin(jobs, eq(jobs.videoId, videos.id))
      .where(eq(videos.name, name))
      .all(),
    db
      .select({ event: webhookEvents, delivery: webhookDeliveries })
      .from(webhookEvents)
      .leftJoin(webhookDeliveries, eq(webhookDeliveries.eventId, webhookEvents.id))
      .where(eq(webhookDeliveries.url, url))
      .all(),
  ])
  return {
    videos: rows.map(({ video }) => video),
    video: rows[0]?.video,
    job: rows[0]?.job ?? undefined,
    events,
  }
}

export async function attemptsOf(jobId: string): Promise<AttemptRow[]> {
  return openDatabase(bindings.DB)
    .select()
    .from(jobAttempts)
    .where(eq(jobAttempts.jobId, jobId))
    .all()
}

type Change = { was: string; becomes: string; progress: number; eventId: string | null }

/**
 * From now on a trigger in D1 records every change of status, and every progress of 100 %, so that nothing is missed
 * between checks.
 */
export async function keepHistory(): Promise<void> {
  await bindings.DB.prepare(
    'CREATE TABLE status_history (video_id TEXT, was TEXT, becomes TEXT, progress REAL, event_id TEXT)',
  ).run()
  await bindings.DB.prepare(
    `CREATE TRIGGER status_changes AFTER UPDATE ON videos
     WHEN old.status <> new.status OR new.progress_percent >= 100
     BEGIN INSERT INTO status_history
     VALUES (new.id, old.status, new.status, new.progress_percent, new.terminal_event_id); END`,
  ).run()
}

export async function historyOf(videoId: string): Promise<Change[]> {
  const { results } = await bindings.DB.prepare(
    'SELECT was, becomes, progress, event_id AS eventId FROM status_history WHERE video_id = ?',
  )
    .bind(videoId)
    .all<Change>()
  return results
}
